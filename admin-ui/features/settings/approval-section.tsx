import { Alert, Select, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AmountField } from '../../components/amount-field.tsx'
import { PageForm } from '../../components/form-modal.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { CurrencyField } from '../../components/money-fields.tsx'
import { Facts } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { amountRule } from '../../lib/amount-text.ts'
import { groupDigits } from '../../lib/format.ts'
import { notify } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useStandingForm } from '../../lib/use-standing-form.ts'
import { required } from '../auth/rules.ts'
import { ApprovalSimulator } from './approval-simulator.tsx'
import { type ApprovalPolicy, fetchApprovalPolicy, setApprovalPolicy } from './policies.api.ts'

const LEVELS = ['0', '1', '2', '3'].map((value) => ({
  value,
  label: value === '0' ? 'None asked for' : `Level ${value}`,
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
            title="Approval of withdrawals"
            description="One manager approves small amounts. Large ones take two different people, one of them an admin or higher; nobody decides what they asked for."
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
        ['Large from', `${groupDigits(threshold)} ${currency}`],
        ['Identity level for money out', String(minKycLevel)],
      ]}
    />
    <Alert color="gray" variant="light" mt="md">
      Only the owner changes this policy.
    </Alert>
  </>
)

const PolicyForm = ({ policy }: { policy: ApprovalPolicy }) => {
  const state = useStandingForm({
    live: policy,
    resource: 'approval-policy',
    toValues: ({ currency, threshold, minKycLevel }) => ({ currency, threshold, minKycLevel: String(minKycLevel) }),
    validate: {
      currency: required('Choose a currency'),
      threshold: amountRule('Enter an amount such as 10,000.00'),
    },
    save: (values, { version }) => setApprovalPolicy({ ...values, minKycLevel: Number(values.minKycLevel) }, version),
    onSaved: () => notify('Policy saved.'),
  })
  const field = state.form.getInputProps
  return (
    <PageForm state={state} submitLabel="Save policy">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <AmountField
          label="Large from"
          description="Two people from this amount on"
          currency={state.form.getValues().currency}
          {...field('threshold')}
        />
        <CurrencyField description="Other currencies are compared at the current rate" {...field('currency')} />
      </SimpleGrid>
      <Select
        label="Identity level for money out"
        description="Below it a withdrawal is refused"
        data={LEVELS}
        allowDeselect={false}
        {...field('minKycLevel')}
      />
    </PageForm>
  )
}
