import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { readTime } from '../../lib/text/day-typing.ts'
import { say } from '../../lib/text/words.ts'

type TimeFieldProps = Omit<TextInputProps, 'type' | 'value' | 'defaultValue' | 'onChange'> & {
  /** A time such as 09:30, or an empty text. */
  value?: string
  onChange?: (time: string) => void
}

/** A field for a time of 24 hours, whatever form the browser's own language has. */
export const TimeField = ({ value = '', onChange, onBlur, error, ...props }: TimeFieldProps) => {
  const [text, setText] = useState(value)
  const [left, setLeft] = useState(false)
  const told = useRef(value)
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  const take = (typed: string): void => {
    setText(typed)
    const time = readTime(typed)
    if (time === told.current) return
    told.current = time
    onChange?.(time)
  }
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      placeholder={say('parts.time.letters')}
      {...props}
      value={text}
      error={error || (left && text !== '' && readTime(text) === '' && say('parts.time.half'))}
      onChange={(event) => take(event.currentTarget.value)}
      onFocus={() => setLeft(false)}
      onBlur={(event) => {
        setText(readTime(text) || text)
        setLeft(true)
        onBlur?.(event)
      }}
    />
  )
}
