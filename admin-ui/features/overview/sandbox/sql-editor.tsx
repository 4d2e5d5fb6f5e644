import { Group, Textarea } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { type KeyboardEvent as ReactKeyboardEvent, useRef, useState } from 'react'
import { suggestionsFor, wordBefore } from './completion.ts'
import type { SqlSchema } from './sandbox.api.ts'
import { say } from './words.ts'

type SqlEditorProps = {
  value: string
  onChange: (sql: string) => void
  onRun: () => void
  schema: SqlSchema | undefined
}

/** Returns completions of the word before the caret, and functions to insert one or close the list. */
function useCompletion({ value, onChange, schema }: Omit<SqlEditorProps, 'onRun'>) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const [open, setOpen] = useState(false)
  const take = (suggestion: string): void => {
    const { start } = wordBefore(value, caret)
    const end = start + suggestion.length
    onChange(value.slice(0, start) + suggestion + value.slice(caret))
    setOpen(false)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(end, end)
      setCaret(end)
    })
  }
  return {
    field,
    take,
    close: () => setOpen(false),
    found: open && schema ? suggestionsFor(value, caret, schema) : [],
    type: ({ value: next, selectionStart }: HTMLTextAreaElement): void => {
      onChange(next)
      setCaret(selectionStart)
      setOpen(true)
    },
    moveTo: setCaret,
  }
}

/** Edits the text of a query, with completions below it. */
export const SqlEditor = ({ value, onChange, onRun, schema }: SqlEditorProps) => {
  const { field, found, take, close, type, moveTo } = useCompletion({ value, onChange, schema })
  const [first] = found
  const takeFirst = (event: KeyboardEvent | ReactKeyboardEvent): void => {
    if (first === undefined) return
    event.preventDefault()
    take(first)
  }
  return (
    <>
      <Textarea
        ref={field}
        aria-label={say('sandbox.editor.label')}
        description={say('sandbox.editor.hint')}
        inputWrapperOrder={['input', 'description']}
        value={value}
        onChange={({ currentTarget }) => type(currentTarget)}
        onSelect={({ currentTarget }) => moveTo(currentTarget.selectionStart)}
        onBlur={close}
        onKeyDown={getHotkeyHandler([
          ['mod+enter', onRun],
          ['tab', takeFirst, { preventDefault: false }],
          ['escape', close, { preventDefault: false }],
        ])}
        maxLength={20_000}
        autosize
        minRows={6}
        maxRows={22}
        spellCheck={false}
        autoCapitalize="off"
        classNames={{ input: 'sql-text' }}
      />
      <Suggestions found={found} onTake={take} />
    </>
  )
}

const Suggestions = ({ found, onTake }: { found: readonly string[]; onTake: (suggestion: string) => void }) => (
  <Group gap={6} mih={26} mt={6} role="listbox" aria-label={say('sandbox.editor.suggestions')}>
    {found.map((suggestion, index) => (
      <button
        key={suggestion}
        type="button"
        role="option"
        aria-selected={index === 0}
        tabIndex={-1}
        className="sql-suggestion"
        // A suggestion is inserted when the mouse goes down, because at the click the field has lost its caret.
        onMouseDown={(event) => {
          event.preventDefault()
          onTake(suggestion)
        }}
      >
        {suggestion}
      </button>
    ))}
  </Group>
)
