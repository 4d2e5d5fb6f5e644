import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isConflict } from '../lib/http.ts'
import { FormNotice } from './form-modal.tsx'

type ConfirmProps = {
  title: string
  children: ReactNode
  confirmLabel: string
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
  opened,
  onClose,
  action,
  typed,
  danger = true,
  onReload,
}: ConfirmProps) => {
  const [text, setText] = useState('')
  const close = (): void => {
    setText('')
    run.reset()
    onClose()
  }
  const run = useMutation({ mutationFn: action, onSuccess: close })
  return (
    <Modal opened={opened} onClose={close} title={title} size="sm">
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
              close()
            })
          }
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            {...(danger && { color: 'red' })}
            loading={run.isPending}
            disabled={typed !== undefined && text !== typed}
            onClick={() => run.mutate()}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
