import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useClickGuard } from '../lib/click-guard.ts'
import { isConflict } from '../lib/http.ts'
import { useUnanswered } from '../lib/unanswered.ts'
import { useDiscardGuard } from './discard-guard.tsx'
import { FormNotice } from './form-modal.tsx'

type ConfirmProps = {
  title: string
  children: ReactNode
  confirmLabel: string
  /** What the button that closes it is called, where “Cancel” would be taken for the act itself. */
  closeLabel?: string
  opened: boolean
  onClose: () => void
  action: () => Promise<unknown>
  /** Text to be typed first, for what cannot be undone. */
  typed?: string
  danger?: boolean
  /** Reads the record again; offered when somebody else changed it meanwhile. */
  onReload?: () => void
}

/** Asks before an act with consequences, runs it, and stays open with the reason if it fails. */
export const Confirm = ({
  title,
  children,
  confirmLabel,
  closeLabel = 'Cancel',
  opened,
  onClose,
  action,
  typed,
  danger = true,
  onReload,
}: ConfirmProps) => {
  const [text, setText] = useState('')
  // Known at once: two clicks may come before the button is drawn as busy.
  const sending = useRef(false)
  const unanswered = useUnanswered()
  const finish = (): void => {
    setText('')
    run.reset()
    onClose()
  }
  const run = useMutation({
    mutationFn: async () => {
      try {
        await action()
      } finally {
        sending.current = false
      }
    },
    onSuccess: finish,
    onError: unanswered.note,
  })
  const { close, question } = useDiscardGuard({
    opened,
    isDirty: () => false,
    sending: run.isPending,
    isSending: () => sending.current,
    unanswered,
    actLeaves: true,
    onClose: finish,
  })
  useClickGuard(opened)
  const start = (): void => {
    if (sending.current) return
    sending.current = true
    run.mutate()
  }
  return (
    <>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        size="sm"
        closeButtonProps={{ 'aria-label': 'Close', disabled: run.isPending }}
      >
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={`Type ${typed} to confirm`}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <FormNotice
            error={run.error}
            conflict={isConflict(run.error) ? run.error : null}
            onReload={
              onReload &&
              (() => {
                onReload()
                finish()
              })
            }
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={run.isPending} onClick={close}>
              {closeLabel}
            </Button>
            <Button
              {...(danger && { color: 'red' })}
              loading={run.isPending}
              disabled={typed !== undefined && text !== typed}
              onClick={start}
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
