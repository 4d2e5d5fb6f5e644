import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy, IconPencil } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { say } from '../../lib/text/words.ts'

/** What may be done with a value: its text is copied, or a form of its own takes its place. */
export type ValueTools = {
  copy?: string | null | undefined
  /** Draws the form that changes the value in its place. */
  edit?: ((close: () => void) => ReactNode) | undefined
}

type ChangeableProps = ValueTools & { label: string; children: ReactNode }

/**
 * A value with buttons to copy and change it. Its form takes its place, and at the end the button has the focus again.
 */
export const Changeable = ({ label, copy, edit, children }: ChangeableProps) => {
  const [editing, setEditing] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !editing) pencil.current?.focus()
    wasEditing.current = editing
  }, [editing])
  if (editing && edit) return edit(() => setEditing(false))
  return (
    <>
      {children}
      {(copy || edit) && (
        <span className="fact-tools">
          {copy && <CopyValue label={label} value={copy} />}
          {edit && (
            <Tooltip label={say('parts.facts.change', { label })}>
              <ActionIcon
                ref={pencil}
                size="xs"
                aria-label={say('parts.facts.change', { label })}
                onClick={() => setEditing(true)}
              >
                <IconPencil size={13} />
              </ActionIcon>
            </Tooltip>
          )}
        </span>
      )}
    </>
  )
}

const CopyValue = ({ label, value }: { label: string; value: string }) => (
  <CopyButton value={value} timeout={2000}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? say('parts.facts.copied') : say('parts.facts.copy', { label })}>
        <ActionIcon size="xs" aria-label={say('parts.facts.copy', { label })} onClick={copy}>
          {copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
)
