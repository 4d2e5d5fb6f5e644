import { Divider, Select, type SelectProps, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { CountrySelect } from '../../../components/forms/country-select.tsx'
import { DateField } from '../../../components/forms/date-field.tsx'
import { LanguageSelect } from '../../../components/forms/language-select.tsx'
import { PhoneField } from '../../../components/forms/phone-field.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import type { TraderField, TraderValues } from './trader-form.ts'
import { RISKS } from './trader-words.ts'
import { say } from './words.ts'

type InputProps = ReturnType<UseFormReturnType<TraderValues>['getInputProps']> & { 'data-autofocus'?: true }

/** Chooses the responsible colleague; the reader is offered first. */
const OwnerSelect = (props: Omit<SelectProps, 'data'>) => {
  const { options } = useStaff()
  const me = useMe()
  const mine = options.filter(({ value }) => value === me.id)
  const data = [
    ...mine.map(({ value, label }) => ({ value, label: say('client.owner_mine', { name: label }) })),
    ...options.filter(({ value }) => value !== me.id),
  ]
  return (
    <Select
      label={say('field.assignedTo')}
      placeholder={say('client.owner_nobody')}
      data={data}
      clearable={Boolean(props.value)}
      searchable
      {...props}
    />
  )
}

/** The input of each value, which serves both the form and the value's own place on the page. */
const INPUTS: Record<TraderField, (props: InputProps) => ReactNode> = {
  firstName: (props) => <TextInput label={say('field.firstName')} {...props} />,
  lastName: (props) => <TextInput label={say('field.lastName')} {...props} />,
  email: (props) => <TextInput label={say('field.email')} type="email" {...props} />,
  phone: (props) => <PhoneField {...props} />,
  dateOfBirth: (props) => <DateField label={say('field.dateOfBirth')} {...props} />,
  language: (props) => <LanguageSelect {...props} />,
  'address.street': (props) => <TextInput label={say('field.street')} {...props} />,
  'address.city': (props) => <TextInput label={say('field.city')} {...props} />,
  'address.region': (props) => <TextInput label={say('field.region')} {...props} />,
  'address.postalCode': (props) => <TextInput label={say('field.postalCode')} {...props} />,
  country: (props) => <CountrySelect label={say('field.country')} {...props} />,
  riskLevel: (props) => <Select label={say('field.riskLevel')} data={RISKS} allowDeselect={false} {...props} />,
  assignedTo: (props) => <OwnerSelect {...props} />,
  segments: (props) => (
    <TagsInput label={say('field.segments')} placeholder={say('client.tags.placeholder')} {...props} />
  ),
  tags: (props) => <TagsInput label={say('field.tags')} placeholder={say('client.tags.placeholder')} {...props} />,
  source: (props) => (
    <TextInput label={say('field.source')} placeholder={say('client.source.placeholder')} {...props} />
  ),
}

const PERSON = ['firstName', 'lastName', 'email', 'phone', 'dateOfBirth', 'language'] as const
export const ADDRESS = ['address.street', 'address.city', 'address.region', 'address.postalCode'] as const
const FIRM = ['riskLevel', 'assignedTo', 'segments', 'tags', 'source'] as const

type TraderInputsProps = {
  form: UseFormReturnType<TraderValues>
  paths: readonly TraderField[]
  /** The cursor is in this field when the form opens. */
  focus?: TraderField
}

/** Shows the fields of some values of a client. */
export const TraderInputs = ({ form, paths, focus }: TraderInputsProps) =>
  paths.map((path) => {
    const Input = INPUTS[path]
    return <Input key={path} {...form.getInputProps(path)} {...(path === focus && { 'data-autofocus': true })} />
  })

/** Shows the fields of a client, the same ones for a new client and for a change. */
export const TraderFields = ({ form }: { form: UseFormReturnType<TraderValues> }) => (
  <>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TraderInputs form={form} paths={PERSON} focus="firstName" />
    </SimpleGrid>
    <Divider label={say('field.address')} labelPosition="left" />
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TraderInputs form={form} paths={[...ADDRESS, 'country']} />
    </SimpleGrid>
    <Divider label={say('client.firm')} labelPosition="left" />
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TraderInputs form={form} paths={FIRM} />
    </SimpleGrid>
  </>
)
