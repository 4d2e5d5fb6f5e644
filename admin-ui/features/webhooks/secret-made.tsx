import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { say } from '../../../src/words/say.ts'
import { CopyOnce, SecretModal } from '../../components/copy-once.tsx'
import type { NewSubscription } from './webhooks.api.ts'

type SecretMadeProps = {
  made: NewSubscription
  onClose: () => void
  /** Leads to a test of the new webhook, once the secret is kept. */
  onTest?: () => void
}

/** The secret that signs deliveries, shown this once. */
export const SecretMade = ({ made, onClose, onTest }: SecretMadeProps) => (
  <SecretModal
    title="Signing secret"
    onClose={onClose}
    actions={
      onTest && (
        <Button variant="default" leftSection={<IconSend size={16} />} onClick={onTest}>
          {say('webhooks.kept_and_test')}
        </Button>
      )
    }
  >
    <CopyOnce
      secret={made.secret}
      label={made.url}
      note={
        made.secretOverlapUntil
          ? 'Copy it now; it is not shown again. Until the old secret runs out, deliveries carry signatures of both.'
          : 'Copy it now; it is not shown again. The receiver checks the signature of each delivery with it.'
      }
    />
  </SecretModal>
)
