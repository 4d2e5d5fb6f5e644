import { Checkbox, MultiSelect, NumberInput, SimpleGrid, TagsInput } from '@mantine/core'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { PageForm } from '../../../components/forms/form-modal.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { TimeZoneSelect } from '../../../components/forms/time-zone-select.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { Section } from '../../../components/page/section.tsx'
import { ROLE_LABELS, ROLES, useCan } from '../../../lib/api/session.ts'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { required } from '../auth/form-rules.ts'
import { type Tenant, updateFirm } from './settings.api.ts'
import { say } from './words.ts'

const ROLE_CHOICES = ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }))

/** Returns a rule that refuses a number outside the limits; the field would silently correct it. */
const between =
  (least: number, most: number, words: string) =>
  (value: number | string): string | null =>
    typeof value === 'number' && value >= least && value <= most ? null : words

/** Picks the values of a firm that the form edits. */
const toFormValues = ({ security, platforms, ...firm }: Tenant) => ({
  timeZone: firm.timeZone,
  currency: firm.currency,
  platforms: [...platforms],
  platformAcknowledges: firm.platformAcknowledges,
  secondFactorRoles: [...security.secondFactorRoles],
  maxAcquisition: firm.maxAcquisition,
  keepYears: firm.keepYears,
  readsPerDay: firm.readsPerDay,
})

const LABELS = {
  currency: say('settings.firm.currency'),
  platforms: say('settings.firm.platforms'),
  platformAcknowledges: say('settings.firm.acknowledges'),
  maxAcquisition: say('settings.max_acquisition'),
  keepYears: say('settings.keep_years'),
  readsPerDay: say('settings.reads_per_day'),
}

const RULES = {
  currency: required(say('common.currency.required')),
  maxAcquisition: amountRule(say('settings.amount.required')),
  keepYears: between(1, 10, say('settings.enter_keep_years')),
  readsPerDay: between(1, 9999, say('settings.enter_reads_per_day')),
}

/** Edits the firm's days, currency and trading platforms, and who signs in with a second factor. */
export const FirmSection = ({ tenant }: { tenant: Tenant }) => {
  const can = useCan()
  const isOwner = can('owner')
  const tellChange = useToldChange('firm')
  const state = useRecordForm({
    live: tenant,
    resource: 'firm',
    toValues: toFormValues,
    validate: RULES,
    save: ({ secondFactorRoles, maxAcquisition, keepYears, readsPerDay, ...values }, { version }) =>
      // the server takes these fields from the owner only, even if they are unchanged
      updateFirm(
        { ...values, ...(isOwner && { maxAcquisition, keepYears, readsPerDay, security: { secondFactorRoles } }) },
        version,
      ),
    onSaved: (saved, over, undo) =>
      tellChange({
        before: toFormValues(over),
        after: toFormValues(saved),
        undo,
        done: say('settings.saved'),
        labels: LABELS,
      }),
  })
  const field = state.form.getInputProps
  return (
    <Section title={say('settings.firm.title')}>
      <PageForm state={state} submitLabel={say('common.save')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TimeZoneSelect description={say('settings.firm.time_zone_hint')} {...field('timeZone')} />
          <CurrencyField
            label={say('settings.firm.currency')}
            description={say('settings.firm.currency_hint')}
            {...field('currency')}
          />
        </SimpleGrid>
        <TagsInput
          label={say('settings.firm.platforms')}
          description={say('settings.firm.platforms_hint')}
          splitChars={[',']}
          {...field('platforms')}
        />
        <Checkbox
          label={say('settings.firm.acknowledges')}
          description={say(isOwner ? 'settings.firm.acknowledges_hint' : 'settings.firm.acknowledges_others')}
          disabled={!isOwner}
          {...field('platformAcknowledges', { type: 'checkbox' })}
        />
        <OwnersFields currency={tenant.currency} isOwner={isOwner} field={field} />
      </PageForm>
    </Section>
  )
}

type OwnersFieldsProps = {
  currency: string
  isOwner: boolean
  field: (name: 'maxAcquisition' | 'keepYears' | 'readsPerDay' | 'secondFactorRoles') => object
}

/** Shows the values that only the owner sets. */
const OwnersFields = ({ currency, isOwner, field }: OwnersFieldsProps) => (
  <>
    <AmountField
      label={say('settings.max_acquisition')}
      description={say(isOwner ? 'settings.max_acquisition_help' : 'settings.firm.owner_only')}
      currency={currency}
      showCurrency
      disabled={!isOwner}
      {...field('maxAcquisition')}
    />
    <NumberInput
      label={say('settings.keep_years')}
      description={say(isOwner ? 'settings.keep_years_help' : 'settings.firm.owner_only')}
      disabled={!isOwner}
      min={1}
      max={10}
      clampBehavior="none"
      allowDecimal={false}
      {...field('keepYears')}
    />
    <NumberInput
      label={say('settings.reads_per_day')}
      description={say(isOwner ? 'settings.reads_per_day_help' : 'settings.firm.owner_only')}
      min={1}
      max={9999}
      clampBehavior="none"
      allowDecimal={false}
      disabled={!isOwner}
      {...field('readsPerDay')}
    />
    <MultiSelect
      label={say('settings.firm.second_factor')}
      description={isOwner ? say('settings.firm.second_factor_hint') : say('settings.firm.owner_only')}
      disabled={!isOwner}
      clearable
      data={ROLE_CHOICES}
      {...field('secondFactorRoles')}
    />
  </>
)
