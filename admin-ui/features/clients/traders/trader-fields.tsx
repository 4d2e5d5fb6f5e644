import { Divider, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CountrySelect } from '../../../components/forms/country-select.tsx'
import { DateField } from '../../../components/forms/date-field.tsx'
import { LanguageSelect } from '../../../components/forms/language-select.tsx'
import { PhoneField } from '../../../components/forms/phone-field.tsx'
import { useStaff } from '../../firm/users/users.api.ts'
import type { TraderField, TraderValues } from './trader-form.ts'
import { RISKS } from './trader-words.ts'
import { say } from './words.ts'

type TraderFieldsProps = {
  form: UseFormReturnType<TraderValues>
  /** The cursor is in this field when the form opens. */
  focus?: TraderField
}

/** Shows the fields of a client, the same ones for a new client and for a change. */
export const TraderFields = ({ form, focus = 'firstName' }: TraderFieldsProps) => {
  const staff = useStaff()
  const field = (path: TraderField) => ({
    ...form.getInputProps(path),
    ...(path === focus && { 'data-autofocus': true }),
  })
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label={say('field.firstName')} {...field('firstName')} />
        <TextInput label={say('field.lastName')} {...field('lastName')} />
        <TextInput label={say('field.email')} type="email" {...field('email')} />
        <PhoneField {...field('phone')} />
        <DateField label={say('field.dateOfBirth')} {...field('dateOfBirth')} />
        <LanguageSelect {...field('language')} />
      </SimpleGrid>
      <Divider label={say('field.address')} labelPosition="left" />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label={say('field.street')} {...field('address.street')} />
        <TextInput label={say('field.city')} {...field('address.city')} />
        <TextInput label={say('field.region')} {...field('address.region')} />
        <TextInput label={say('field.postalCode')} {...field('address.postalCode')} />
        <CountrySelect label={say('field.country')} {...field('country')} />
      </SimpleGrid>
      <Divider label={say('client.firm')} labelPosition="left" />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select label={say('field.riskLevel')} data={RISKS} allowDeselect={false} {...field('riskLevel')} />
        <Select label={say('field.assignedTo')} data={staff.options} clearable searchable {...field('assignedTo')} />
        <TagsInput label={say('field.segments')} placeholder={say('client.tags.placeholder')} {...field('segments')} />
        <TagsInput label={say('field.tags')} placeholder={say('client.tags.placeholder')} {...field('tags')} />
        <TextInput label={say('field.source')} placeholder={say('client.source.placeholder')} {...field('source')} />
      </SimpleGrid>
    </>
  )
}
