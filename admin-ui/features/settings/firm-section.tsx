import { Checkbox, MultiSelect, SimpleGrid, TagsInput } from '@mantine/core'
import { PageForm } from '../../components/form-modal.tsx'
import { CurrencyField } from '../../components/money-fields.tsx'
import { Section } from '../../components/section.tsx'
import { TimeZoneSelect } from '../../components/time-zone-select.tsx'
import { notify } from '../../lib/notify.tsx'
import { ROLE_LABELS, ROLES, useCan } from '../../lib/session.ts'
import { useStandingForm } from '../../lib/use-standing-form.ts'
import { required } from '../auth/rules.ts'
import { type Tenant, updateFirm } from './settings.api.ts'

const ROLE_CHOICES = ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }))

/** How the firm works: its days, its currency, its trading platforms, and who signs in with a second factor. */
export const FirmSection = ({ tenant }: { tenant: Tenant }) => {
  const can = useCan()
  const isOwner = can('owner')
  const state = useStandingForm({
    live: tenant,
    resource: 'firm',
    toValues: ({ timeZone, currency, platforms, platformAcknowledges, security }) => ({
      timeZone,
      currency,
      platforms: [...platforms],
      platformAcknowledges,
      secondFactorRoles: [...security.secondFactorRoles],
    }),
    validate: { currency: required('Choose a currency') },
    save: ({ secondFactorRoles, ...values }, { version }) =>
      // the server lets nobody but the owner send it, changed or not
      updateFirm({ ...values, ...(isOwner && { security: { secondFactorRoles } }) }, version),
    onSaved: () => notify('Settings saved.'),
  })
  const field = state.form.getInputProps
  return (
    <Section title="Days, currency and platforms">
      <PageForm state={state} submitLabel="Save">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TimeZoneSelect description="Days and months of reports" {...field('timeZone')} />
          <CurrencyField label="Reporting currency" description="Of reports and new limits" {...field('currency')} />
        </SimpleGrid>
        <TagsInput
          label="Trading platforms"
          description="Names that accounts and positions may carry; press Enter after each. terminal5 stays, and what accounts are on."
          splitChars={[',']}
          {...field('platforms')}
        />
        <Checkbox
          label="The platform acknowledges transfers"
          description={`A bridge, by a key that an owner made, reports each as booked or refused; without it they count as booked at once.${isOwner ? '' : ' Only the owner changes this.'}`}
          disabled={!isOwner}
          {...field('platformAcknowledges', { type: 'checkbox' })}
        />
        <MultiSelect
          label="Roles that need a second factor"
          description={isOwner ? 'Whoever has none yet sets it up at the next sign-in' : 'Only the owner changes this'}
          disabled={!isOwner}
          clearable
          data={ROLE_CHOICES}
          {...field('secondFactorRoles')}
        />
      </PageForm>
    </Section>
  )
}
