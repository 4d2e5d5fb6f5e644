import { Divider, PasswordInput, TextInput } from '@mantine/core'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { isEmail, newPassword, PASSWORD_LENGTH, required } from '../auth/form-rules.ts'
import { createTenant } from './tenants.api.ts'
import { say } from './words.ts'

const useTenantForm = (onClose: () => void) => {
  const refresh = useRefresh()
  return useApiForm({
    initialValues: { name: '', slug: '', domain: '', owner: { displayName: '', email: '', password: '' } },
    validate: {
      name: required(say('tenants.name.required')),
      owner: {
        displayName: required(say('tenants.owner.name_required')),
        email: isEmail,
        password: (text) => (text === '' ? null : newPassword(text)),
      },
    },
    submit: ({ name, slug, domain, owner }) =>
      createTenant({
        name: name.trim(),
        ...(slug.trim() && { slug: slug.trim() }),
        ...(domain.trim() && { domain: domain.trim().toLowerCase() }),
        owner: {
          displayName: owner.displayName.trim(),
          email: owner.email.trim(),
          ...(owner.password && { password: owner.password }),
        },
      }),
    onDone: () => {
      notify(say('tenants.new.done'))
      void refresh('tenants')
      onClose()
    },
  })
}

/** Creates another firm on this installation, with its owner. */
export const CreateTenant = ({ onClose }: { onClose: () => void }) => {
  const state = useTenantForm(onClose)
  const field = state.form.getInputProps
  return (
    <FormDrawer
      state={state}
      title={say('tenants.new.title')}
      submitLabel={say('tenants.new.submit')}
      opened
      onClose={onClose}
    >
      <TextInput label={say('common.firm')} data-autofocus {...field('name')} />
      <TextInput label={say('tenants.slug.label')} description={say('tenants.slug.hint')} {...field('slug')} />
      <TextInput
        label={say('tenants.domain')}
        description={say('tenants.domain.hint')}
        placeholder="office.example.com"
        {...field('domain')}
      />
      <Divider label={say('tenants.owner')} labelPosition="left" />
      <TextInput label={say('common.name')} {...field('owner.displayName')} />
      <TextInput label={say('field.email')} type="email" {...field('owner.email')} />
      <PasswordInput
        label={say('common.password')}
        description={say('tenants.owner.password_hint', { passwordLength: PASSWORD_LENGTH })}
        autoComplete="new-password"
        {...field('owner.password')}
      />
    </FormDrawer>
  )
}
