import { Alert, Select, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { PageForm } from '../../../components/forms/form-modal.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useStandingForm } from '../../../lib/forms/use-standing-form.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { required } from '../auth/form-rules.ts'
import { ApprovalSimulator } from './approval-simulator.tsx'
import { type ApprovalPolicy, fetchApprovalPolicy, setApprovalPolicy } from './policies.api.ts'
import { say } from './words.ts'

const LEVELS = ['0', '1', '2', '3'].map((value) => ({
  value,
  label: value === '0' ? say('settings.none_asked_for') : say('settings.level', { level: value }),
}))

/** Who must approve money out. The owner sets it; others read it and may try it out. */
export const ApprovalSection = () => {
  const can = useCan()
  const policy = useQuery({ queryKey: ['approval-policy'], queryFn: () => fetchApprovalPolicy() })
  return (
    <Loaded query={policy}>
      {(data) => (
        <>
          <Section
            title={say('settings.approval_withdrawals')}
            description={say('settings.one_manager_approves_small')}
          >
            {can('owner') ? <PolicyForm policy={data} /> : <PolicyFacts policy={data} />}
          </Section>
          <ApprovalSimulator currency={data.currency} version={data.version} />
        </>
      )}
    </Loaded>
  )
}

const PolicyFacts = ({ policy: { currency, threshold, minKycLevel } }: { policy: ApprovalPolicy }) => (
  <>
    <Facts
      items={[
        [say('settings.large_from'), `${groupDigits(threshold)} ${currency}`],
        [say('settings.identity_level_for_money'), String(minKycLevel)],
      ]}
    />
    <Alert color="gray" variant="light" mt="md">
      {say('settings.only_owner_changes_this')}
    </Alert>
  </>
)

const PolicyForm = ({ policy }: { policy: ApprovalPolicy }) => {
  const state = useStandingForm({
    live: policy,
    resource: 'approval-policy',
    toValues: ({ currency, threshold, minKycLevel }) => ({ currency, threshold, minKycLevel: String(minKycLevel) }),
    validate: {
      currency: required(say('common.choose_currency')),
      threshold: amountRule(say('settings.enter_amount_such_as')),
    },
    save: (values, { version }) => setApprovalPolicy({ ...values, minKycLevel: Number(values.minKycLevel) }, version),
    onSaved: () => notify(say('settings.policy_saved')),
  })
  const field = state.form.getInputProps
  return (
    <PageForm state={state} submitLabel={say('settings.save_policy')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <AmountField
          label={say('settings.large_from')}
          description={say('settings.two_people_from_this')}
          currency={state.form.getValues().currency}
          {...field('threshold')}
        />
        <CurrencyField description={say('settings.other_currencies_compared_at')} {...field('currency')} />
      </SimpleGrid>
      <Select
        label={say('settings.identity_level_for_money')}
        description={say('settings.below_it_withdrawal_refused')}
        data={LEVELS}
        allowDeselect={false}
        {...field('minKycLevel')}
      />
    </PageForm>
  )
}
