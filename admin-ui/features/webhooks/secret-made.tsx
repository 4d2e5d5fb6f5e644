import { CopyOnce, SecretModal } from '../../components/copy-once.tsx'
import type { NewSubscription } from './webhooks.api.ts'

type SecretMadeProps = { made: NewSubscription; onClose: () => void }

/** The secret that signs deliveries, shown this once. */
export const SecretMade = ({ made, onClose }: SecretMadeProps) => (
  <SecretModal title="Signing secret" onClose={onClose}>
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
