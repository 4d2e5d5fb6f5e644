import { Button, Checkbox, Group, Radio, ScrollArea, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useDeferredValue, useEffect, useState } from 'react'
import { PERIODS } from '../../lib/lists/filter-text.ts'
import { ALL, cleared, dayShown, type Filter, isOneCurrency, MOVING } from '../../lib/lists/filters.ts'
import { useSearchParams } from '../../lib/lists/search-params.ts'
import { CURRENCY_OPTIONS } from '../../lib/text/currencies.ts'
import { HALF_DAY } from '../../lib/text/day-text.ts'
import { say } from '../../lib/text/words.ts'
import { zoneName } from '../../lib/text/zone.ts'
import { DateField } from '../forms/date-field.tsx'

type EditorProps = { filter: Filter; onDone: () => void }

/** Sets one filter in the address, with an editor for its kind. The list follows at once. */
export const FilterEditor = ({ filter, onDone }: EditorProps) => {
  if (filter.options) return <ChoiceEditor filter={filter} options={filter.options} onDone={onDone} />
  if (filter.kind === 'days') return <DaysEditor filter={filter} onDone={onDone} />
  if (filter.kind === 'amount') return <AmountEditor filter={filter} onDone={onDone} />
  return <TextEditor name={filter.key} label={filter.label} onDone={onDone} />
}

/** A filter with more options than this has a search. */
const SEARCHED = 10
/** This many options are drawn at once, more than are visible; the others follow without delaying the page. */
const AT_ONCE = 24

const ChoiceEditor = ({ filter, options, onDone }: EditorProps & { options: NonNullable<Filter['options']> }) => {
  const [search, setSearch] = useSearchParams()
  const [wanted, setWanted] = useState('')
  const said = search[filter.key] ?? filter.fallback ?? ''
  const values = said === '' || said === ALL ? [] : said.split(',')
  const set = (next: readonly string[]): void =>
    setSearch(next.length === 0 ? cleared(filter) : { [filter.key]: next.join(',') })
  const shown = options.filter(({ label }) => label.toLowerCase().includes(wanted.trim().toLowerCase()))
  const drawn = shown.slice(0, useDeferredValue(options.length, AT_ONCE))
  return (
    <Stack gap="xs">
      {(options.length > SEARCHED || filter.free) && (
        <TextInput
          size="xs"
          aria-label={filter.label}
          placeholder={filter.label}
          value={wanted}
          data-autofocus
          onChange={(event) => setWanted(event.currentTarget.value)}
          onKeyDown={(event) => {
            const typed = wanted.trim()
            const same = shown.find(({ label }) => label.toLowerCase() === typed.toLowerCase())
            const value = (same ?? shown[0])?.value ?? (filter.free ? typed : '')
            if (event.key !== 'Enter' || value === '') return
            set([value])
            onDone()
          }}
        />
      )}
      <ScrollArea.Autosize mah={280} type="auto">
        {filter.several ? (
          <Checkbox.Group aria-label={filter.label} value={values} onChange={set}>
            <Stack gap={8} py={2} px={2}>
              {drawn.map(({ value, label }) => (
                <Checkbox key={value} size="xs" value={value} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
        ) : (
          <Radio.Group aria-label={filter.label} value={values[0] ?? ''} onChange={(value) => set([value])}>
            <Stack gap={8} py={2} px={2}>
              {drawn.map(({ value, label }) => (
                <Radio
                  key={value}
                  size="xs"
                  value={value}
                  label={label}
                  // An arrow key chooses too and fires a click without a `detail`, which must not close the editor.
                  onClick={(event) => event.detail > 0 && onDone()}
                />
              ))}
            </Stack>
          </Radio.Group>
        )}
      </ScrollArea.Autosize>
    </Stack>
  )
}

const DaysEditor = ({ filter, onDone }: EditorProps) => {
  const [search, setSearch] = useSearchParams()
  const until = filter.until ?? ''
  return (
    <Stack gap="sm">
      <Group gap={6}>
        {MOVING.map((period) => (
          <Button
            key={period}
            size="compact-xs"
            variant={search[filter.key] === period ? 'light' : 'default'}
            onClick={() => {
              setSearch({ [filter.key]: period, [until]: undefined })
              onDone()
            }}
          >
            {say(PERIODS[period])}
          </Button>
        ))}
      </Group>
      <Group gap="xs" grow>
        <DayEnd name={filter.key} label={say('lists.days_from')} end={false} />
        <DayEnd name={until} label={say('lists.days_to')} end />
      </Group>
      <Text size="xs" c="dimmed">
        {say('parts.zone', { zone: zoneName() })}
      </Text>
    </Stack>
  )
}

/** A field for one end of a period. An incomplete day filters nothing, and says so. */
const DayEnd = ({ name, label, end }: { name: string; label: string; end: boolean }) => {
  const [search, setSearch] = useSearchParams()
  const [half, setHalf] = useState(false)
  const value = search[name] ?? ''
  return (
    <DateField
      isInMenu
      size="xs"
      label={label}
      value={half && value === '' ? HALF_DAY : dayShown(value, end)}
      onChange={(day) => {
        setHalf(day === HALF_DAY)
        setSearch({ [name]: day === HALF_DAY ? '' : day })
      }}
    />
  )
}

const AmountEditor = ({ filter, onDone }: EditorProps) => {
  const [search, setSearch] = useSearchParams()
  if (!isOneCurrency(search))
    return (
      <Select
        size="xs"
        label={say('lists.amount_currency')}
        data={CURRENCY_OPTIONS}
        searchable
        selectFirstOptionOnChange
        value={null}
        comboboxProps={{ withinPortal: false }}
        onChange={(currency) => setSearch({ currency: currency ?? undefined })}
      />
    )
  return (
    <Group gap="xs" grow>
      <TextEditor name={filter.key} label={say('lists.amount_from')} labelled onDone={onDone} />
      <TextEditor name={filter.until ?? ''} label={say('lists.amount_to')} labelled onDone={onDone} />
    </Group>
  )
}

type TextEditorProps = { name: string; label: string; labelled?: boolean; onDone: () => void }

/** A field for text; the list follows when the typing pauses. */
const TextEditor = ({ name, label, labelled = false, onDone }: TextEditorProps) => {
  const [search, setSearch] = useSearchParams()
  const value = search[name] ?? ''
  const [text, setText] = useState(value)
  const apply = useDebouncedCallback((typed: string) => setSearch({ [name]: typed.trim() }), 400)
  // The address can change without this field: by Back, or "clear filters".
  useEffect(() => setText((shown) => (shown.trim() === value ? shown : value)), [value])
  return (
    <TextInput
      size="xs"
      {...(labelled ? { label } : { 'aria-label': label, placeholder: label })}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        apply(event.currentTarget.value)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        apply.flush()
        onDone()
      }}
    />
  )
}
