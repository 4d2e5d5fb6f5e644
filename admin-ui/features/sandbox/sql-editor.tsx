import { Group, Textarea } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { suggestionsFor, wordBefore } from './completion.ts'
import type { SqlSchema } from './sandbox.api.ts'
import { say } from './words.ts'

type SqlEditorProps = {
  value: string
  onChange: (sql: string) => void
  onRun: () => void
  schema: SqlSchema | undefined
}

/** The text of a query, with the names that may be meant below it. */
export const SqlEditor = ({ value, onChange, onRun, schema }: SqlEditorProps) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const [open, setOpen] = useState(false)
  const found = open && schema ? suggestionsFor(value, caret, schema) : []
  const take = (suggestion: string): void => {
    const { start } = wordBefore(value, caret)
    const next = value.slice(0, start) + suggestion + value.slice(caret)
    onChange(next)
    setOpen(false)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(start + suggestion.length, start + suggestion.length)
      setCaret(start + suggestion.length)
    })
  }
  const [first] = found
  const onKeyDown = getHotkeyHandler([
    ['mod+enter', onRun],
    [
      'tab',
      (event) => {
        if (first === undefined) return
        event.preventDefault()
        take(first)
      },
      { preventDefault: false },
    ],
    ['escape', () => setOpen(false), { preventDefault: false }],
  ])
  return (
    <>
      <Textarea
        ref={field}
        aria-label={say('sandbox.editor.label')}
        description={say('sandbox.editor.hint')}
        inputWrapperOrder={['input', 'description']}
        value={value}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value)
          setCaret(currentTarget.selectionStart)
          setOpen(true)
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        maxLength={20_000}
        autosize
        minRows={6}
        maxRows={22}
        spellCheck={false}
        autoCapitalize="off"
        classNames={{ input: 'sql-text' }}
      />
      <Group gap={6} mih={26} mt={6} role="listbox" aria-label={say('sandbox.editor.suggestions')}>
        {found.map((suggestion, index) => (
          <button
            key={suggestion}
            type="button"
            role="option"
            aria-selected={index === 0}
            tabIndex={-1}
            className="sql-suggestion"
            // It is taken as soon as it is pressed: by the click the field has lost its caret.
            onMouseDown={(event) => {
              event.preventDefault()
              take(suggestion)
            }}
          >
            {suggestion}
          </button>
        ))}
      </Group>
    </>
  )
}
