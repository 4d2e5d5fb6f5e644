import { Alert, Select, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { PageForm } from '../../../components/forms/form-modal.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { required } from '../auth/form-rules.ts'
import { ApprovalRules } from './approval-rules.tsx'
import { ApprovalSimulator } from './approval-simulator.tsx'
import { type ApprovalPolicy, fetchApprovalPolicy, setApprovalPolicy } from './policies.api.ts'
import { say } from './words.ts'

const LEVELS = ['0', '1', '2', '3'].map((value) => ({
  value,
  label: value === '0' ? say('settings.approval.level_none') : say('settings.approval.level', { level: value }),
}))

/** Shows who must approve money out. The owner sets it; others read it and may try it out. */
export const ApprovalSection = () => {
  const can = useCan()
  const policy = useQuery({ queryKey: ['approval-policy'], queryFn: () => fetchApprovalPolicy() })
  return (
    <Loaded query={policy}>
      {(data) => (
        <>
          <Section title={say('settings.approval.title')} description={say('settings.approval.about')}>
            {can('owner') ? <PolicyForm policy={data} /> : <PolicyFacts policy={data} />}
          </Section>
          <ApprovalSimulator currency={data.currency} version={data.version} />
          <ApprovalRules policy={data} />
        </>
      )}
    </Loaded>
  )
}

const PolicyFacts = ({ policy: { currency, threshold, minKycLevel } }: { policy: ApprovalPolicy }) => (
  <>
    <Facts
      items={[
        [say('settings.approval.threshold'), `${groupDigits(threshold)} ${currency}`],
        [say('settings.approval.kyc_level'), String(minKycLevel)],
      ]}
    />
    <Alert color="gray" variant="light" mt="md">
      {say('settings.approval.owner_only')}
    </Alert>
  </>
)

const pickPolicy = ({ currency, threshold, minKycLevel }: ApprovalPolicy) => ({
  currency,
  threshold,
  minKycLevel: String(minKycLevel),
})

const LABELS = {
  currency: say('common.currency'),
  threshold: say('settings.approval.threshold'),
  minKycLevel: say('settings.approval.kyc_level'),
}

const PolicyForm = ({ policy }: { policy: ApprovalPolicy }) => {
  const tellChange = useToldChange('approval-policy')
  const state = useRecordForm({
    live: policy,
    resource: 'approval-policy',
    toValues: pickPolicy,
    validate: {
      currency: required(say('common.currency.required')),
      threshold: amountRule(say('settings.amount.required')),
    },
    save: (values, { version }) => setApprovalPolicy({ ...values, minKycLevel: Number(values.minKycLevel) }, version),
    onSaved: (saved, over, undo) =>
      tellChange({
        before: pickPolicy(over),
        after: pickPolicy(saved),
        undo,
        done: say('settings.approval.done'),
        labels: LABELS,
      }),
  })
  const field = state.form.getInputProps
  return (
    <PageForm state={state} submitLabel={say('settings.approval.submit')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <AmountField
          label={say('settings.approval.threshold')}
          description={say('settings.approval.threshold_hint')}
          currency={state.form.getValues().currency}
          {...field('threshold')}
        />
        <CurrencyField description={say('settings.approval.currency_hint')} {...field('currency')} />
      </SimpleGrid>
      <Select
        label={say('settings.approval.kyc_level')}
        description={say('settings.approval.kyc_level_hint')}
        data={LEVELS}
        allowDeselect={false}
        {...field('minKycLevel')}
      />
    </PageForm>
  )
}
