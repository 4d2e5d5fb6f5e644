import { Divider, PasswordInput, TextInput } from '@mantine/core'
import { FormDrawer } from '../../components/form-modal.tsx'
import { notify } from '../../lib/notify.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { isEmail, newPassword, PASSWORD_LENGTH, required } from '../auth/rules.ts'
import { createTenant } from './tenants.api.ts'

/** Founds another firm on this installation, with its owner. */
export const CreateTenant = ({ onClose }: { onClose: () => void }) => {
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: { name: '', slug: '', domain: '', owner: { displayName: '', email: '', password: '' } },
    validate: {
      name: required('Enter the name of the firm'),
      owner: {
        displayName: required('Enter a name'),
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
      notify('Firm created.')
      void refresh('tenants')
      onClose()
    },
  })
  const field = state.form.getInputProps
  return (
    <FormDrawer state={state} title="New firm" submitLabel="Create firm" opened onClose={onClose}>
      <TextInput label="Firm" data-autofocus {...field('name')} />
      <TextInput
        label="Short name"
        description="Small letters, digits and dashes; made from the name if empty"
        {...field('slug')}
      />
      <TextInput
        label="Domain"
        description="A host name that belongs to this firm alone; may stay empty"
        placeholder="office.example.com"
        {...field('domain')}
      />
      <Divider label="Owner" labelPosition="left" />
      <TextInput label="Name" {...field('owner.displayName')} />
      <TextInput label="E-mail" type="email" {...field('owner.email')} />
      <PasswordInput
        label="Password"
        description={`At least ${PASSWORD_LENGTH} characters; leave empty to mail a link`}
        autoComplete="new-password"
        {...field('owner.password')}
      />
    </FormDrawer>
  )
}
