import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'

type CopyOnceProps = { secret: string; label: string; note?: string }

/** A secret that the server will never show again, with a copy button. */
export const CopyOnce = ({ secret, label, note }: CopyOnceProps) => (
  <Stack gap="sm">
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />}>
      {note ?? 'Copy it now. It is stored only as a hash and cannot be shown again.'}
    </Alert>
    <div>
      <Text size="sm" fw={600} mb={4}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="stretch">
        <Code block className="secret">
          {secret}
        </Code>
        <CopyText text={secret} />
      </Group>
    </div>
  </Stack>
)

/** A button that copies a text and says so. */
export const CopyText = ({ text, label = 'Copy' }: { text: string; label?: string }) => (
  <CopyButton value={text} timeout={2000}>
    {({ copied, copy }) => (
      <Button
        variant="default"
        onClick={copy}
        leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        aria-live="polite"
      >
        {copied ? 'Copied' : label}
      </Button>
    )}
  </CopyButton>
)
