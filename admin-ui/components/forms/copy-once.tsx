import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { say } from '../../lib/text/words.ts'

/**
 * Keeps the reader on a page that shows a secret once. Returns a warning after the reader tried to leave, and nothing
 * before.
 */
export const useKeepFirst = (words = say('parts.secret.leave_warning')): ReactNode => {
  const [wasLeft, setWasLeft] = useState(false)
  useBlocker({
    // A reader whose session ended cannot see the page any more.
    shouldBlockFn: ({ next }) => {
      if (next.pathname === '/sign-in') return false
      setWasLeft(true)
      return true
    },
    enableBeforeUnload: true,
  })
  return (
    wasLeft && (
      <Text size="sm" role="alert" className="error-text">
        {words}
      </Text>
    )
  )
}

type SecretModalProps = { title: string; children: ReactNode; actions?: ReactNode; onClose: () => void }

/** A dialog around a secret that is shown once; only the reader's confirmation that it was kept closes it. */
export const SecretModal = ({ title, children, actions, onClose }: SecretModalProps) => {
  const warning = useKeepFirst()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        {children}
        {warning}
        <Group justify="flex-end" gap="xs">
          {actions}
          <Button onClick={onClose}>{say('parts.secret.kept')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

type CopyOnceProps = { secret: string; label: string; note?: string }

/** A secret that the server will never show again, with a copy button. */
export const CopyOnce = ({ secret, label, note }: CopyOnceProps) => (
  <Stack gap="sm">
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />}>
      {note ?? say('parts.secret.about')}
    </Alert>
    <div>
      <Text size="sm" fw={600} mb={4}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="stretch">
        <Code block className="secret">
          {secret}
        </Code>
        <CopyText text={secret} first />
      </Group>
    </div>
  </Stack>
)

type CopyTextProps = {
  text: string
  label?: string
  /** Focuses the button, so that a double Enter in the form before copies the text instead of closing the dialog. */
  first?: boolean
}

/** A button that copies a text and confirms it. */
export const CopyText = ({ text, label = say('parts.copy'), first = false }: CopyTextProps) => (
  <CopyButton value={text} timeout={2000}>
    {({ copied, copy }) => (
      <Button
        variant="default"
        onClick={copy}
        autoFocus={first}
        data-autofocus={first || undefined}
        leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        aria-live="polite"
      >
        {copied ? say('parts.facts.copied') : label}
      </Button>
    )}
  </CopyButton>
)
