import { TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { type Role, useCan, useMe } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../auth/form-rules.ts'
import type { User } from '../users/users.api.ts'
import { RolesField } from './roles-field.tsx'
import { setRoles, updateUser } from './staff.api.ts'
import { say } from './words.ts'

type Values = { displayName: string; roles: Role[] }

const same = (a: readonly Role[], b: readonly Role[]): boolean =>
  a.length === b.length && a.every((role) => b.includes(role))

/** Changes a colleague's name and roles. */
export const UserForm = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const refresh = useRefresh()
  const can = useCan()
  const me = useMe()
  const mayRename = can('owner') || user.id === me.id
  const initialValues: Values = { displayName: user.displayName, roles: user.roles }
  const reload = (): void => {
    void refresh('users')
    onClose()
  }
  const state = useApiForm({
    initialValues,
    validate: {
      displayName: required(say('users.name.required')),
      roles: (roles) => (roles.length > 0 ? null : say('users.roles.required')),
    },
    submit: async ({ displayName, roles }) => {
      const name = displayName.trim()
      const renamed = name === user.displayName ? user : await updateUser(user.id, { displayName: name }, user.version)
      return same(roles, user.roles) ? renamed : setRoles(user.id, roles, renamed.version)
    },
    onDone: () => {
      notify(say('users.edit.done'))
      reload()
    },
  })
  return (
    <FormDrawer
      state={state}
      title={user.displayName}
      submitLabel={say('common.save')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <TextInput label={say('field.email')} value={user.email} readOnly />
      <TextInput
        label={say('common.name')}
        {...(mayRename
          ? { 'data-autofocus': true }
          : { readOnly: true, description: say('users.error.name_of_another') })}
        {...state.form.getInputProps('displayName')}
      />
      <RolesField {...state.form.getInputProps('roles')} />
    </FormDrawer>
  )
}
