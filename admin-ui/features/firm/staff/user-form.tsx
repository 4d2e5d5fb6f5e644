import { TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { ROLE_LABELS, type Role, useCan, useMe } from '../../../lib/api/session.ts'
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

const pickValues = ({ displayName, roles }: User): Values => ({ displayName, roles })

const isRole = (text: string): text is Role => Object.hasOwn(ROLE_LABELS, text)

/** Saves a name and roles over a version of a colleague, each only if it is another one. */
const save = async (user: User, { displayName, roles }: Values): Promise<User> => {
  const name = displayName.trim()
  const renamed = name === user.displayName ? user : await updateUser(user.id, { displayName: name }, user.version)
  return same(roles, user.roles) ? renamed : setRoles(user.id, roles, renamed.version)
}

/** Changes a colleague's name and roles. */
export const UserForm = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const refresh = useRefresh()
  const can = useCan()
  const me = useMe()
  const mayRename = can('owner') || user.id === me.id
  const tellChange = useToldChange('users')
  const reload = (): void => {
    void refresh('users')
    onClose()
  }
  const state = useApiForm({
    initialValues: pickValues(user),
    validate: {
      displayName: required(say('users.name.required')),
      roles: (roles) => (roles.length > 0 ? null : say('users.roles.required')),
    },
    submit: (values) => save(user, values),
    onDone: (after) => {
      tellChange({
        before: pickValues(user),
        after: pickValues(after),
        undo: () => save(after, pickValues(user)),
        done: say('users.edit.done'),
        labels: { displayName: say('common.name'), roles: say('users.roles') },
        nameValue: (key, value) => (key === 'roles' && isRole(value) ? ROLE_LABELS[value] : null),
      })
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
