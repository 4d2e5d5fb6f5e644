import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { isConflict } from '../../lib/api/http.ts'
import { useUnanswered } from '../../lib/api/pending-acts.ts'
import { useSend } from '../../lib/api/use-send.ts'
import { useClickGuard } from '../../lib/screen/click-guard.ts'
import { say } from '../../lib/text/words.ts'
import { useDiscardGuard } from './discard-guard.tsx'
import { FormNotice } from './form-modal.tsx'

type ConfirmProps = {
  title: string
  children: ReactNode
  confirmLabel: string
  /** The label of the closing button, if “Cancel” could be taken for the action itself. */
  closeLabel?: string
  opened: boolean
  onClose: () => void
  action: () => Promise<unknown>
  /** The text that must be typed first if the action cannot be undone. */
  typed?: string
  danger?: boolean
  /** Reads the record again; the dialog offers this if a colleague changed the record meanwhile. */
  onReload?: () => void
}

/** Runs the action once at a time; the dialog cannot be closed while it runs. */
function useAct({ opened, action, onClose }: Pick<ConfirmProps, 'opened' | 'action' | 'onClose'>) {
  const unanswered = useUnanswered()
  const { run, start, isSending } = useSend<void, unknown>(action, { onSuccess: onClose, onError: unanswered.note })
  const guard = useDiscardGuard({
    opened,
    isSending,
    unanswered,
    onClose,
    isDirty: () => false,
    sending: run.isPending,
    actLeaves: true,
  })
  useClickGuard(opened)
  return { run, start, ...guard }
}

type TypedFieldProps = { typed: string; text: string; onText: (text: string) => void }

/** A field for the text that must be typed before an action that cannot be undone. */
const TypedField = ({ typed, text, onText }: TypedFieldProps) => (
  <TextInput
    label={say('parts.confirm.typed', { typed })}
    value={text}
    onChange={(event) => onText(event.currentTarget.value)}
    autoComplete="off"
    data-autofocus
  />
)

/** Asks before an action with consequences, runs it, and stays open with the reason if it fails. */
export const Confirm = ({ closeLabel = say('parts.cancel'), danger = true, ...props }: ConfirmProps) => {
  const { title, children, confirmLabel, opened, typed, onReload } = props
  const [text, setText] = useState('')
  const finish = (): void => {
    setText('')
    run.reset()
    props.onClose()
  }
  const { run, start, close, question } = useAct({ opened, action: props.action, onClose: finish })
  const reload = (): void => {
    onReload?.()
    finish()
  }
  const conflict = isConflict(run.error) ? run.error : null
  return (
    <>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        size="sm"
        closeButtonProps={{ 'aria-label': say('common.close'), disabled: run.isPending }}
      >
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          {typed !== undefined && <TypedField typed={typed} text={text} onText={setText} />}
          <FormNotice error={run.error} conflict={conflict} onReload={onReload && reload} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={run.isPending} onClick={close}>
              {closeLabel}
            </Button>
            <Button
              {...(danger && { color: 'red' })}
              loading={run.isPending}
              disabled={typed !== undefined && text !== typed}
              onClick={() => start()}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </Modal>
      {question}
    </>
  )
}
