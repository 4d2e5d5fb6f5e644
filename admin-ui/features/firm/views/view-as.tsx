import { Text } from '@mantine/core'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { ReasonForm } from '../../../components/forms/reason-form.tsx'
import { viewAsTrader, viewAsUser } from './views.api.ts'
import { say } from './words.ts'

type Whom = { id: string; name: string }
const nothing = (): void => undefined

/** Asks why the reader wants to see what a client sees; then this tab becomes the view. */
export const ViewAsTrader = ({ trader, onClose }: { trader: Whom; onClose: () => void }) => (
  <ReasonForm
    title={say('views.start.title', { name: trader.name })}
    label={say('views.start.reason')}
    description={say('views.start.reason_help')}
    missing={say('views.start.missing')}
    submitLabel={say('views.start.submit')}
    submit={(reason) => viewAsTrader(trader.id, trader.name, reason)}
    onDone={nothing}
    onClose={onClose}
  >
    <Text size="sm">{say('views.start.text', { name: trader.name })}</Text>
  </ReasonForm>
)

/** Asks once more before this tab shows what a colleague sees. */
export const ViewAsUser = ({ user, onClose }: { user: Whom | null; onClose: () => void }) => (
  <Confirm
    title={say('views.start.title', { name: user?.name ?? '' })}
    confirmLabel={say('views.start.submit')}
    danger={false}
    opened={user !== null}
    onClose={onClose}
    action={() => (user ? viewAsUser(user.id, user.name) : Promise.resolve())}
  >
    {say('views.start.user_text', { name: user?.name ?? '' })}
  </Confirm>
)
