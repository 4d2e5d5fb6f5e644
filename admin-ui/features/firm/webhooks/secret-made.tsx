import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { CopyOnce, SecretModal } from '../../../components/forms/copy-once.tsx'
import type { NewSubscription } from './webhooks.api.ts'
import { say } from './words.ts'

type SecretMadeProps = {
  made: NewSubscription
  onClose: () => void
  /** Opens a test of the new webhook, once the secret is kept. */
  onTest?: () => void
}

/** Shows the secret that signs deliveries, which is never shown again. */
export const SecretMade = ({ made, onClose, onTest }: SecretMadeProps) => (
  <SecretModal
    title={say('webhooks.secret.title')}
    onClose={onClose}
    actions={
      onTest && (
        <Button variant="default" leftSection={<IconSend size={16} />} onClick={onTest}>
          {say('webhooks.secret.kept_and_test')}
        </Button>
      )
    }
  >
    <CopyOnce
      secret={made.secret}
      label={made.url}
      note={made.secretOverlapUntil ? say('webhooks.secret.note_overlap') : say('webhooks.secret.note')}
    />
  </SecretModal>
)
