import { Divider, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CountrySelect } from '../../components/country-select.tsx'
import { DateField } from '../../components/date-field.tsx'
import { LanguageSelect } from '../../components/language-select.tsx'
import { PhoneField } from '../../components/phone-field.tsx'
import { useStaff } from '../users/users.api.ts'
import type { TraderField, TraderValues } from './trader-form.ts'
import { RISKS } from './trader-words.ts'
import { say } from './words.ts'

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
        <TextInput label={say('client.first_name')} {...field('firstName')} />
        <TextInput label={say('client.last_name')} {...field('lastName')} />
        <TextInput label={say('client.email')} type="email" {...field('email')} />
        <PhoneField {...field('phone')} />
        <DateField label={say('client.born')} {...field('dateOfBirth')} />
        <LanguageSelect {...field('language')} />
      </SimpleGrid>
      <Divider label={say('client.address')} labelPosition="left" />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label={say('client.street')} {...field('address.street')} />
        <TextInput label={say('client.city')} {...field('address.city')} />
        <TextInput label={say('client.region')} {...field('address.region')} />
        <TextInput label={say('client.postal_code')} {...field('address.postalCode')} />
        <CountrySelect label={say('client.country')} {...field('country')} />
      </SimpleGrid>
      <Divider label={say('client.firm')} labelPosition="left" />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select label={say('client.risk')} data={RISKS} allowDeselect={false} {...field('riskLevel')} />
        <Select label={say('client.owner')} data={staff.options} clearable searchable {...field('assignedTo')} />
        <TagsInput label={say('client.segments')} placeholder={say('client.type_press_enter')} {...field('segments')} />
        <TagsInput label={say('client.tags')} placeholder={say('client.type_press_enter')} {...field('tags')} />
        <TextInput
          label={say('client.source')}
          placeholder={say('client.where_this_person_came')}
          {...field('source')}
        />
      </SimpleGrid>
    </>
  )
}
