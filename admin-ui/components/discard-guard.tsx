import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

/**
 * Keeps a form from being lost: closing it, or leaving its page, asks first when something was
 * typed. `close` takes the place of the form's own closing; `question` is drawn beside it.
 */
export const useDiscardGuard = (
  isDirty: () => boolean,
  onClose: () => void,
): { close: () => void; question: ReactNode } => {
  const [asked, setAsked] = useState(false)
  const leaving = useBlocker({ shouldBlockFn: isDirty, enableBeforeUnload: isDirty, withResolver: true })
  const keep = (): void => {
    setAsked(false)
    if (leaving.status === 'blocked') leaving.reset()
  }
  const discard = (): void => {
    setAsked(false)
    if (leaving.status === 'blocked') leaving.proceed()
    else onClose()
  }
  return {
    close: () => {
      if (isDirty()) setAsked(true)
      else onClose()
    },
    // Drawn only while it is asked: one that stood there closed would take the very Esc that opened it.
    question: (asked || leaving.status === 'blocked') && (
      <Modal opened onClose={keep} title="Discard changes?" size="xs" zIndex={300}>
        <Stack>
          <Text size="sm">What you typed here has not been saved.</Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" color="red" onClick={discard}>
              Discard
            </Button>
            <Button onClick={keep} data-autofocus>
              Keep editing
            </Button>
          </Group>
        </Stack>
      </Modal>
    ),
  }
}
