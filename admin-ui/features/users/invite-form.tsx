import { PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { FormDrawer } from '../../components/form-modal.tsx'
import { notify } from '../../lib/notify.tsx'
import type { Role } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { isEmail, newPassword, PASSWORD_LENGTH, required } from '../auth/rules.ts'
import { followInvitation, type HeldInvitation } from './invite-link.tsx'
import { RolesField } from './roles-field.tsx'
import { inviteUser } from './users.api.ts'

type InviteFormProps = {
  onClose: () => void
  /** The invitation waits here, to be passed on by hand. */
  onHeld: (invitation: HeldInvitation) => void
}

type Values = { displayName: string; email: string; roles: Role[]; way: string; password: string }

const WAYS = [
  { value: 'link', label: 'Mail a link' },
  { value: 'password', label: 'Set a password' },
]

/** Adds the user, and follows what became of the mail where there is one. */
const invite = async ({ displayName, email, roles, way, password }: Values) => {
  const byMail = way === 'link'
  const user = await inviteUser({
    displayName: displayName.trim(),
    email: email.trim(),
    roles,
    ...(byMail ? { sendInviteLink: true } : { password, sendInviteLink: false }),
  })
  return { byMail, held: byMail ? await followInvitation(user) : null }
}

/** Adds a colleague, with a mailed link or a password told in person. */
export const InviteForm = ({ onClose, onHeld }: InviteFormProps) => {
  const refresh = useRefresh()
  const initialValues: Values = { displayName: '', email: '', roles: ['viewer'], way: 'link', password: '' }
  const state = useApiForm({
    initialValues,
    validate: {
      displayName: required('Enter a name'),
      email: isEmail,
      roles: (roles) => (roles.length > 0 ? null : 'Choose at least one role'),
      password: (text, { way }) => (way === 'password' ? newPassword(text) : null),
    },
    submit: invite,
    onDone: ({ held, byMail }) => {
      if (!byMail) notify('User added.')
      void refresh('users')
      onClose()
      if (held) onHeld(held)
    },
  })
  const field = state.form.getInputProps
  const byLink = state.form.getValues().way === 'link'
  return (
    <FormDrawer
      state={state}
      title="Invite a user"
      submitLabel={byLink ? 'Invite' : 'Add user'}
      opened
      onClose={onClose}
    >
      <TextInput label="Name" data-autofocus {...field('displayName')} />
      <TextInput label="E-mail" type="email" {...field('email')} />
      <RolesField {...field('roles')} />
      <Stack gap={4}>
        <Text size="sm" fw={600}>
          First sign-in
        </Text>
        <SegmentedControl data={WAYS} aria-label="First sign-in" {...field('way')} />
      </Stack>
      {byLink ? (
        <Text size="sm" c="dimmed">
          The link works once and for 24 hours. Without a mail server you get it here, to pass on yourself.
        </Text>
      ) : (
        <PasswordInput
          label="Password"
          description={`At least ${PASSWORD_LENGTH} characters`}
          autoComplete="new-password"
          {...field('password')}
        />
      )}
    </FormDrawer>
  )
}
