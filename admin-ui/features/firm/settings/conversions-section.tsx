import { Alert, NumberInput, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { PageForm } from '../../../components/forms/form-modal.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { Facts } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { fetchApprovalPolicy } from './policies.api.ts'
import { type Tenant, updateFirm } from './settings.api.ts'
import { say } from './words.ts'

// A share such as 0.0055 is 0.55 per cent; the multiplication alone would show 0.5500000000000001.
const toPercent = (share: number): number => Number((share * 100).toFixed(6))
const toShare = (percent: number): number => Number((percent / 100).toFixed(8))

/** Shows the terms of conversions that clients make without staff. The owner sets them; others read them. */
export const ConversionsSection = ({ tenant }: { tenant: Tenant }) => {
  const can = useCan()
  const policy = useQuery({ queryKey: ['approval-policy'], queryFn: () => fetchApprovalPolicy() })
  const currency = policy.data?.currency ?? ''
  return (
    <Section title={say('settings.conversions.title')} description={say('settings.conversions.about')}>
      {can('owner') ? (
        <ConversionsForm tenant={tenant} currency={currency} />
      ) : (
        <ConversionsFacts tenant={tenant} currency={currency} />
      )}
    </Section>
  )
}

const ConversionsFacts = ({ tenant: { conversion }, currency }: { tenant: Tenant; currency: string }) => (
  <>
    <Facts
      items={[
        [say('settings.conversions.spread'), `${toPercent(conversion.spread)} %`],
        [
          say('settings.conversions.max_age'),
          say('settings.conversions.max_age_hours', { maxAgeHours: conversion.maxAgeHours }),
        ],
        [say('settings.conversions.daily_limit'), `${groupDigits(conversion.dailyLimit)} ${currency}`],
      ]}
    />
    <Alert color="gray" variant="light" mt="md">
      {say('settings.conversions.owner_only')}
    </Alert>
  </>
)

const pickConversion = ({ conversion: { spread, maxAgeHours, dailyLimit } }: Tenant) => ({
  spread: toPercent(spread),
  maxAgeHours,
  dailyLimit,
})

const LABELS = {
  spread: say('settings.conversions.spread'),
  maxAgeHours: say('settings.conversions.max_age'),
  dailyLimit: say('settings.conversions.daily_limit'),
}

const ConversionsForm = ({ tenant, currency }: { tenant: Tenant; currency: string }) => {
  const tellChange = useToldChange('firm')
  const state = useRecordForm({
    live: tenant,
    resource: 'firm',
    toValues: pickConversion,
    validate: {
      spread: (percent: number | string) =>
        typeof percent === 'number' ? null : say('settings.conversions.spread_required'),
      maxAgeHours: (hours: number | string) =>
        typeof hours === 'number' ? null : say('settings.conversions.max_age_required'),
      dailyLimit: amountRule(say('settings.amount.required')),
    },
    save: ({ spread, maxAgeHours, dailyLimit }, { version }) =>
      updateFirm({ conversion: { spread: toShare(spread), maxAgeHours, dailyLimit } }, version),
    onSaved: (saved, over, undo) =>
      tellChange({
        before: pickConversion(over),
        after: pickConversion(saved),
        undo,
        done: say('settings.conversions.done'),
        labels: LABELS,
      }),
  })
  const field = state.form.getInputProps
  return (
    <PageForm state={state} submitLabel={say('settings.conversions.submit')}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <NumberInput
          label={say('settings.conversions.spread')}
          description={say('settings.conversions.spread_hint')}
          suffix=" %"
          min={0}
          max={20}
          step={0.05}
          decimalScale={4}
          {...field('spread')}
        />
        <NumberInput
          label={say('settings.conversions.max_age')}
          description={say('settings.conversions.max_age_hint')}
          suffix=" hours"
          min={1}
          max={168}
          allowDecimal={false}
          {...field('maxAgeHours')}
        />
        <AmountField
          label={say('settings.conversions.daily_limit')}
          description={say('settings.conversions.daily_limit_hint')}
          currency={currency}
          showCurrency
          {...field('dailyLimit')}
        />
      </SimpleGrid>
    </PageForm>
  )
}
