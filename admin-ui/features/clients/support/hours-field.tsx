import { ActionIcon, Button, Group, Input, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { TimeField } from '../../../components/forms/time-field.tsx'
import type { SlaPolicies } from '../../firm/settings/policies.api.ts'
import { say } from '../../firm/settings/words.ts'

type Interval = SlaPolicies['hours'][number]
type HoursFieldProps = { value?: Interval[]; onChange: (value: Interval[]) => void; error?: ReactNode }

const DAYS = [
  say('settings.monday'),
  say('settings.tuesday'),
  say('settings.wednesday'),
  say('settings.thursday'),
  say('settings.friday'),
  say('settings.saturday'),
  say('settings.sunday'),
]

/** A field writes the beginning and the end of a day alike. */
const MIDNIGHT = '00:00'
const DAY_END = '24:00'

/** Asks for the working hours of each day of the week; a day may have several intervals, or none. */
export const HoursField = ({ value = [], onChange, error }: HoursFieldProps) => {
  const change = (index: number, part: Partial<Interval>): void =>
    onChange(value.map((interval, at) => (at === index ? { ...interval, ...part } : interval)))
  return (
    <Input.Wrapper
      label={say('settings.hours.label')}
      description={say('settings.hours.hint')}
      error={error}
      labelElement="div"
    >
      <Stack gap={6} mt={6}>
        {DAYS.map((name, index) => (
          <Day
            key={name}
            name={name}
            intervals={value.map((interval, at) => ({ ...interval, at })).filter(({ day }) => day === index + 1)}
            onChange={change}
            onRemove={(at) => onChange(value.filter((_, other) => other !== at))}
            onAdd={() => onChange([...value, { day: index + 1, from: '09:00', to: '18:00' }])}
          />
        ))}
      </Stack>
    </Input.Wrapper>
  )
}

/** Holds an interval with its index in the whole week. */
type Placed = Interval & { at: number }
type Changes = { onChange: (at: number, part: Partial<Interval>) => void; onRemove: (at: number) => void }
type DayProps = Changes & { name: string; intervals: readonly Placed[]; onAdd: () => void }

const Day = ({ name, intervals, onAdd, ...changes }: DayProps) => (
  <Group gap="xs">
    <Text size="sm" w={92}>
      {name}
    </Text>
    {intervals.length === 0 && (
      <Text size="sm" c="dimmed">
        {say('common.closed')}
      </Text>
    )}
    {intervals.map((interval) => (
      <IntervalFields key={interval.at} name={name} interval={interval} {...changes} />
    ))}
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      leftSection={<IconPlus size={14} />}
      aria-label={say('settings.hours.add', { name })}
      onClick={onAdd}
    >
      {say('settings.hours.add.action')}
    </Button>
  </Group>
)

const IntervalFields = ({ name, interval, onChange, onRemove }: Changes & { name: string; interval: Placed }) => {
  const { at, from, to } = interval
  return (
    <Group gap={4} wrap="nowrap">
      <TimeField
        w={84}
        aria-label={say('settings.hours.from', { name })}
        value={from}
        onChange={(time) => onChange(at, { from: time })}
      />
      <span className="dim">{say('settings.hours.until')}</span>
      <TimeField
        w={84}
        aria-label={say('settings.hours.to', { name })}
        value={to === DAY_END ? MIDNIGHT : to}
        onChange={(time) => onChange(at, { to: time === MIDNIGHT ? DAY_END : time })}
      />
      <ActionIcon aria-label={say('settings.hours.remove', { from, to, name })} onClick={() => onRemove(at)}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
  )
}
