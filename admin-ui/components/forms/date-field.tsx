import { TextInput, type TextInputProps } from '@mantine/core'
import { type SyntheticEvent, useState } from 'react'
import { HALF_DAY, wholeDay } from '../../lib/text/day-text.ts'

type DateFieldProps = Omit<TextInputProps, 'type' | 'value' | 'defaultValue' | 'onChange'> & {
  /** A day such as 2026-12-31, an empty text, or the mark of an incomplete day. */
  value?: string
  onChange?: (day: string) => void
}

/** A field for a day. An incomplete day is kept as a mark, so that it is refused and not taken for an empty field. */
export const DateField = ({ value = '', onChange, onBlur, error, ...props }: DateFieldProps) => {
  const [left, setLeft] = useState(false)
  // The browser fires no change event between an empty and an incomplete day, so each key checks the field.
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
