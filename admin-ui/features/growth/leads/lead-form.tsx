import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { CountrySelect } from '../../../components/forms/country-select.tsx'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { LanguageSelect } from '../../../components/forms/language-select.tsx'
import { PhoneField } from '../../../components/forms/phone-field.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { isEmail } from '../../firm/auth/form-rules.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { createLead, type Lead, updateLead } from './leads.api.ts'
import { say } from './words.ts'

type LeadFormProps = { lead?: Lead; onClose: () => void }

const emptyToNull = (text: string): string | null => text.trim() || null

const toFormValues = (lead: Lead | undefined) => ({
  firstName: lead?.firstName ?? '',
  lastName: lead?.lastName ?? '',
  email: lead?.email ?? '',
  phone: lead?.phone ?? '',
  country: lead?.country ?? '',
  language: lead?.language ?? '',
  assignedTo: lead?.assignedTo ?? '',
  source: lead?.source ?? '',
  note: lead?.note ?? '',
})

const save = (lead: Lead | undefined, { source, ...values }: ReturnType<typeof toFormValues>): Promise<Lead> => {
  const body = {
    firstName: emptyToNull(values.firstName),
    lastName: emptyToNull(values.lastName),
    email: emptyToNull(values.email),
    phone: emptyToNull(values.phone),
    country: values.country || null,
    language: emptyToNull(values.language),
    assignedTo: values.assignedTo || null,
    note: emptyToNull(values.note),
  }
  return lead ? updateLead(lead, body) : createLead({ ...body, ...(source.trim() && { source: source.trim() }) })
}

const useLeadForm = ({ lead, onClose }: LeadFormProps) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('leads')
  const reload = (): void => {
    void refresh('leads')
    onClose()
  }
  const state = useApiForm({
    initialValues: toFormValues(lead),
    validate: {
      email: (text: string, { phone }: ReturnType<typeof toFormValues>) =>
        text.trim() ? isEmail(text) : phone.trim() ? null : say('leads.contact.required'),
    },
    submit: (values) => save(lead, values),
    onDone: (after) => {
      if (lead) offerUndo(say('leads.edit.done'), () => save(after, toFormValues(lead)))
      else notify(say('leads.new.done'))
      reload()
    },
  })
  return { state, reload }
}

/** Creates a lead, or changes one. The source is set at creation and cannot be changed. */
export const LeadForm = (props: LeadFormProps) => {
  const { lead, onClose } = props
  const staff = useStaff()
  const { state, reload } = useLeadForm(props)
  const field = state.form.getInputProps
  return (
    <FormDrawer
      state={state}
      title={lead ? say('leads.edit.title') : say('leads.new.title')}
      submitLabel={lead ? say('common.save') : say('leads.new.submit')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <SimpleGrid cols={2} spacing="sm">
        <TextInput label={say('field.firstName')} data-autofocus {...field('firstName')} />
        <TextInput label={say('field.lastName')} {...field('lastName')} />
      </SimpleGrid>
      <TextInput label={say('field.email')} type="email" {...field('email')} />
      <PhoneField {...field('phone')} />
      <SimpleGrid cols={2} spacing="sm">
        <CountrySelect label={say('field.country')} {...field('country')} />
        <LanguageSelect {...field('language')} />
      </SimpleGrid>
      <TextInput
        label={say('field.source')}
        description={lead ? say('leads.source.hint_kept') : say('leads.source.hint')}
        readOnly={Boolean(lead)}
        {...field('source')}
      />
      <Select
        label={say('field.assignedTo')}
        placeholder={say('leads.nobody')}
        data={staff.options}
        clearable
        searchable
        {...field('assignedTo')}
      />
      <Textarea label={say('common.note')} autosize minRows={2} {...field('note')} />
    </FormDrawer>
  )
}
