import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { CountrySelect } from '../../../components/forms/country-select.tsx'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { InPlaceForm } from '../../../components/forms/in-place-form.tsx'
import { LanguageSelect } from '../../../components/forms/language-select.tsx'
import { PhoneField } from '../../../components/forms/phone-field.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { fieldName } from '../../../lib/text/field-name.ts'
import { isEmail } from '../../firm/auth/form-rules.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { createLead, type Lead, updateLead } from './leads.api.ts'
import { say } from './words.ts'

type LeadFormProps = { lead?: Lead; onClose: () => void }

const emptyToNull = (text: string): string | null => text.trim() || null

const toFormValues = (lead?: Lead) => ({
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
type LeadValues = ReturnType<typeof toFormValues>

const toBody = (values: LeadValues) => ({
  firstName: emptyToNull(values.firstName),
  lastName: emptyToNull(values.lastName),
  email: emptyToNull(values.email),
  phone: emptyToNull(values.phone),
  country: values.country || null,
  language: emptyToNull(values.language),
  assignedTo: values.assignedTo || null,
  note: emptyToNull(values.note),
})

const save = (lead: Lead | undefined, { source, ...values }: LeadValues): Promise<Lead> => {
  const body = toBody({ source, ...values })
  return lead ? updateLead(lead, body) : createLead({ ...body, ...(source.trim() && { source: source.trim() }) })
}

/** A value of a lead that is changed in its place in the drawer. */
export type LeadValue = 'email' | 'phone' | 'country' | 'language' | 'assignedTo' | 'note'

type InputProps = ReturnType<UseFormReturnType<LeadValues>['getInputProps']>

const OwnerSelect = (props: InputProps) => (
  <Select
    label={say('field.assignedTo')}
    placeholder={say('leads.nobody')}
    data={useStaff().options}
    clearable
    searchable
    {...props}
  />
)

/** The input of each value, which serves both the form and the value's own place in the drawer. */
const INPUTS: Record<LeadValue, (props: InputProps) => ReactNode> = {
  email: (props) => <TextInput label={say('field.email')} type="email" {...props} />,
  phone: (props) => <PhoneField {...props} />,
  country: (props) => <CountrySelect label={say('field.country')} {...props} />,
  language: (props) => <LanguageSelect {...props} />,
  assignedTo: (props) => <OwnerSelect {...props} />,
  note: (props) => <Textarea label={say('common.note')} autosize minRows={2} {...props} />,
}

const KINDS: Partial<Record<LeadValue, 'choice' | 'long'>> = {
  country: 'choice',
  language: 'choice',
  assignedTo: 'choice',
  note: 'long',
}

/** Returns a function that says how a lead was changed, and offers to give it its former values. */
const useToldLead = () => {
  const tellChange = useToldChange('leads')
  const { findStaffName } = useStaff()
  return (before: Partial<ReturnType<typeof toBody>>, after: object, saved: Lead): void =>
    tellChange({
      before,
      after,
      undo: () => updateLead(saved, before),
      done: say('leads.edit.done'),
      labels: { note: say('common.note') },
      nameValue: (key, value) => (key === 'assignedTo' ? findStaffName(value) : null),
    })
}

/** Changes one value of a lead in its place; the request has this value alone. */
const ChangeLead = ({ lead, name, onClose }: { lead: Lead; name: LeadValue; onClose: () => void }) => {
  const tellChange = useToldLead()
  const state = useRecordForm({
    live: lead,
    resource: 'leads',
    // The form has no other values, so that a colleague's change of those is no conflict.
    toValues: (record): LeadValues => ({ ...toFormValues(), [name]: toFormValues(record)[name] }),
    validate: { email: (text: string) => (text.trim() ? isEmail(text) : null) },
    save: (values, over) => updateLead(over, { [name]: toBody(values)[name] }),
    onSaved: (saved, over) => {
      const pick = (one: Lead) => ({ [name]: toBody(toFormValues(one))[name] })
      tellChange(pick(over), pick(saved), saved)
      onClose()
    },
  })
  const Input = INPUTS[name]
  return (
    <InPlaceForm state={state} label={fieldName(name)} kind={KINDS[name] ?? 'text'} onClose={onClose}>
      <Input {...state.form.getInputProps(name)} />
    </InPlaceForm>
  )
}

/** Returns the function that draws the form of a value, for the pencil beside the value. */
export const changeLead =
  (lead: Lead, name: LeadValue) =>
  (close: () => void): ReactNode => <ChangeLead lead={lead} name={name} onClose={close} />

const useLeadForm = ({ lead, onClose }: LeadFormProps) => {
  const refresh = useRefresh()
  const tellChange = useToldLead()
  const reload = (): void => {
    void refresh('leads')
    onClose()
  }
  const state = useApiForm({
    initialValues: toFormValues(lead),
    validate: {
      email: (text: string, { phone }: LeadValues) =>
        text.trim() ? isEmail(text) : phone.trim() ? null : say('leads.contact.required'),
    },
    submit: (values) => save(lead, values),
    onDone: (after) => {
      if (lead) tellChange(toBody(toFormValues(lead)), toBody(toFormValues(after)), after)
      else notify(say('leads.new.done'))
      reload()
    },
  })
  return { state, reload }
}

/** Creates a lead, or changes one. The source is set at creation and cannot be changed. */
export const LeadForm = (props: LeadFormProps) => {
  const { lead, onClose } = props
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
      <INPUTS.email {...field('email')} />
      <INPUTS.phone {...field('phone')} />
      <SimpleGrid cols={2} spacing="sm">
        <INPUTS.country {...field('country')} />
        <INPUTS.language {...field('language')} />
      </SimpleGrid>
      <TextInput
        label={say('field.source')}
        description={lead ? say('leads.source.hint_kept') : say('leads.source.hint')}
        readOnly={Boolean(lead)}
        {...field('source')}
      />
      <INPUTS.assignedTo {...field('assignedTo')} />
      <INPUTS.note {...field('note')} />
    </FormDrawer>
  )
}
