import { Alert, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyText } from '../../../components/forms/copy-once.tsx'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { AuthCard } from '../../firm/auth/auth-card.tsx'
import { type Passwords, revealPasswords } from './orders.api.ts'
import { say } from './words.ts'

/** Shows a client the passwords of a trading account once, by the token of a mailed link. */
export const PasswordsPage = () => {
  const [{ token }] = useSearchParams()
  const [shown, setShown] = useState<Passwords | null>(null)
  // they are read only when somebody asks: a program that looks at links in mails must not use them up
  const state = useApiForm({
    initialValues: {},
    validate: {},
    submit: () => revealPasswords(token ?? ''),
    onDone: setShown,
    isPublic: true,
  })
  const title = say('terminals.order.secret.title')
  if (!token)
    return (
      <AuthCard title={title}>
        <Text size="sm">{say('terminals.order.secret.incomplete')}</Text>
      </AuthCard>
    )
  if (shown) return <Shown title={title} passwords={shown} />
  return (
    <AuthCard title={title} intro={say('terminals.order.secret.about')}>
      <FormBody state={state} submitLabel={say('terminals.order.secret.show')} fullWidth>
        {null}
      </FormBody>
    </AuthCard>
  )
}

const Shown = ({ title, passwords: { server, login, main, investor } }: { title: string; passwords: Passwords }) => (
  <AuthCard title={title}>
    <Stack gap="sm">
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />}>
        {say('terminals.order.secret.note')}
      </Alert>
      <Value label={say('terminals.order.secret.server')} text={server} />
      <Value label={say('terminals.order.secret.login')} text={login} />
      {main !== null && <Value label={say('terminals.order.value.main')} text={main} />}
      {investor !== null && <Value label={say('terminals.order.value.investor')} text={investor} />}
    </Stack>
  </AuthCard>
)

const Value = ({ label, text }: { label: string; text: string }) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {label}
    </Text>
    <Group gap="xs" wrap="nowrap" align="stretch">
      <Code block className="secret">
        {text}
      </Code>
      <CopyText text={text} />
    </Group>
  </div>
)
