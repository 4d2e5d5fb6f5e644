import { Divider, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CountrySelect } from '../../components/country-select.tsx'
import { DateField } from '../../components/date-field.tsx'
import { LanguageSelect } from '../../components/language-select.tsx'
import { PhoneField } from '../../components/phone-field.tsx'
import { useStaff } from '../users/users.api.ts'
import type { TraderField, TraderValues } from './trader-form.ts'
import { RISKS } from './trader-words.ts'

type TraderFieldsProps = {
  form: UseFormReturnType<TraderValues>
  /** Where the cursor is when the form opens. */
  focus?: TraderField
}

/** The fields of a trader, the same when one is made and when one is changed. */
export const TraderFields = ({ form, focus = 'firstName' }: TraderFieldsProps) => {
  const staff = useStaff()
  const field = (path: TraderField) => ({
    ...form.getInputProps(path),
    ...(path === focus && { 'data-autofocus': true }),
  })
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label="First name" {...field('firstName')} />
        <TextInput label="Last name" {...field('lastName')} />
        <TextInput label="E-mail" type="email" {...field('email')} />
        <PhoneField {...field('phone')} />
        <DateField label="Date of birth" {...field('dateOfBirth')} />
        <LanguageSelect {...field('language')} />
      </SimpleGrid>
      <Divider label="Address" labelPosition="left" />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label="Street" {...field('address.street')} />
        <TextInput label="City" {...field('address.city')} />
        <TextInput label="Region" {...field('address.region')} />
        <TextInput label="Postal code" {...field('address.postalCode')} />
        <CountrySelect label="Country" {...field('country')} />
      </SimpleGrid>
      <Divider label="In your firm" labelPosition="left" />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select label="Risk" data={RISKS} allowDeselect={false} {...field('riskLevel')} />
        <Select label="Assigned to" data={staff.options} clearable searchable {...field('assignedTo')} />
        <TagsInput label="Segments" placeholder="Type and press Enter" {...field('segments')} />
        <TagsInput label="Tags" placeholder="Type and press Enter" {...field('tags')} />
        <TextInput label="Source" placeholder="Where this person came from" {...field('source')} />
      </SimpleGrid>
    </>
  )
}
