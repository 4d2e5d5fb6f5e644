import { PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import type { Role } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { isEmail, newPassword, PASSWORD_LENGTH, required } from '../auth/form-rules.ts'
import { followInvitation, type HeldInvitation } from './invite-link.tsx'
import { RolesField } from './roles-field.tsx'
import { inviteUser } from './staff.api.ts'
import { say } from './words.ts'

type InviteFormProps = {
  /** The role that is ticked at first. */
  role: Role
  onClose: () => void
  /** Called with an invitation that the reader has to pass on. */
  onHeld: (invitation: HeldInvitation) => void
}

type Values = { displayName: string; email: string; roles: Role[]; way: string; password: string }

const WAYS = [
  { value: 'link', label: say('users.invite.by_link') },
  { value: 'password', label: say('users.invite.by_password') },
]

/** Adds the user, and finds out whether the mail was sent if there is one. */
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

/** Adds a colleague, by a mailed link or with a password that the reader gives them. */
export const InviteForm = ({ role, onClose, onHeld }: InviteFormProps) => {
  const refresh = useRefresh()
  const initialValues: Values = { displayName: '', email: '', roles: [role], way: 'link', password: '' }
  const state = useApiForm({
    initialValues,
    validate: {
      displayName: required(say('users.name.required')),
      email: isEmail,
      roles: (roles) => (roles.length > 0 ? null : say('users.roles.required')),
      password: (text, { way }) => (way === 'password' ? newPassword(text) : null),
    },
    submit: invite,
    onDone: ({ held, byMail }) => {
      if (!byMail) notify(say('users.invite.done'))
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
      title={say('users.invite.title')}
      submitLabel={byLink ? say('users.invite.submit_link') : say('users.invite.submit_password')}
      opened
      onClose={onClose}
    >
      <TextInput label={say('common.name')} data-autofocus {...field('displayName')} />
      <TextInput label={say('field.email')} type="email" {...field('email')} />
      <RolesField {...field('roles')} />
      <Stack gap={4}>
        <Text size="sm" fw={600}>
          {say('users.invite.way')}
        </Text>
        <SegmentedControl data={WAYS} aria-label={say('users.invite.way')} {...field('way')} />
      </Stack>
      {byLink ? (
        <Text size="sm" c="dimmed">
          {say('users.invite.link_hint')}
        </Text>
      ) : (
        <PasswordInput
          label={say('common.password')}
          description={say('common.password.hint', { passwordLength: PASSWORD_LENGTH })}
          autoComplete="new-password"
          {...field('password')}
        />
      )}
    </FormDrawer>
  )
}
