import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { HALF_DAY, wholeDay, writeDay } from '../../lib/text/day-text.ts'
import { DAY_FORM, readDay } from '../../lib/text/day-typing.ts'
import { say } from '../../lib/text/words.ts'

const DayPicker = lazy(async () => ({ default: (await import('./day-picker.tsx')).DayPicker }))

type DateFieldProps = Omit<TextInputProps, 'type' | 'value' | 'defaultValue' | 'onChange'> & {
  /** A day such as 2026-12-31, an empty text, or the mark of an incomplete day. */
  value?: string
  onChange?: (day: string) => void
  /** Whether the calendar is drawn in the field's own menu, which a click elsewhere would close. */
  isInMenu?: boolean
}

/**
 * A field for a day, typed in the form of the reader's language or as 2026-12-31, or taken from a calendar. An
 * incomplete day is kept as a mark, so that it is refused and not taken for an empty field.
 */
export const DateField = ({ value = '', onChange, onBlur, error, isInMenu = false, ...props }: DateFieldProps) => {
  const [left, setLeft] = useState(false)
  const [text, setText] = useState(() => writeDay(value === HALF_DAY ? '' : value))
  // what the field has by now: it may be left before a day from the calendar is drawn
  const now = useRef(text)
  const told = useRef(value)
  // The value can change without this field: by Back, or by a form that is emptied.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    if (value !== HALF_DAY) now.current = writeDay(value)
    setText(now.current)
  }, [value])
  const take = (typed: string, isLeft: boolean): void => {
    const day = readDay(typed, { isLeft })
    now.current = isLeft && day !== HALF_DAY ? writeDay(day) : typed
    setText(now.current)
    if (day === told.current) return
    told.current = day
    onChange?.(day)
  }
  const field = useRef<HTMLInputElement>(null)
  const choose = (day: string): void => {
    take(day, true)
    field.current?.focus()
  }
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      placeholder={DAY_FORM}
      {...props}
      ref={field}
      value={text}
      error={error || (left && wholeDay(readDay(text)))}
      onChange={(event) => take(event.currentTarget.value, false)}
      onFocus={() => setLeft(false)}
      onKeyDown={(event) => event.key === 'Enter' && take(now.current, true)}
      onBlur={(event) => {
        take(now.current, true)
        setLeft(true)
        onBlur?.(event)
      }}
      rightSection={<CalendarButton day={readDay(text)} onChoose={choose} isInMenu={isInMenu} />}
    />
  )
}

type CalendarButtonProps = { day: string; onChoose: (day: string) => void; isInMenu: boolean }

/** Opens a calendar below a field. Its code is loaded when it is opened first. */
const CalendarButton = ({ day, onChoose, isInMenu }: CalendarButtonProps) => {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} withinPortal={!isInMenu} position="bottom-end" trapFocus shadow="md">
      <Popover.Target>
        <ActionIcon size="sm" aria-label={say('parts.day.choose')} onClick={() => setOpened(!opened)}>
          <IconCalendar size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown data-mantine-stop-propagation>
        <Suspense fallback={<div className="day-picker" />}>
          <DayPicker
            day={day === HALF_DAY || day === '' ? null : day}
            onChoose={(chosen) => {
              setOpened(false)
              onChoose(chosen)
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
