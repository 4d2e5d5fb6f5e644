import { TextInput, type TextInputProps } from '@mantine/core'
import { type SyntheticEvent, useState } from 'react'
import { HALF_DAY, wholeDay } from '../../lib/text/day-text.ts'

type DateFieldProps = Omit<TextInputProps, 'type' | 'value' | 'defaultValue' | 'onChange'> & {
  /** A day such as 2026-12-31, nothing, or the mark of an incomplete one. */
  value?: string
  onChange?: (day: string) => void
}

/** A field for a day. An incomplete one is kept as such, so that it is refused and not taken for none. */
export const DateField = ({ value = '', onChange, onBlur, error, ...props }: DateFieldProps) => {
  const [left, setLeft] = useState(false)
  // The browser reports no change between no day and an incomplete one, so it is checked with each key.
  const look = ({ currentTarget: { value: day, validity } }: SyntheticEvent<HTMLInputElement>): void => {
    const held = validity.badInput ? HALF_DAY : day
    if (held !== value) onChange?.(held)
  }
  return (
    <TextInput
      {...props}
      type="date"
      max="9999-12-31"
      value={value === HALF_DAY ? '' : value}
      error={error || (left && wholeDay(value))}
      onChange={look}
      onKeyUp={look}
      onFocus={() => setLeft(false)}
      onBlur={(event) => {
        look(event)
        setLeft(true)
        onBlur?.(event)
      }}
    />
  )
}
