import { Select, type SelectProps, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { FormDrawer, FormModal } from '../../../components/forms/form-modal.tsx'
import { InPlaceForm } from '../../../components/forms/in-place-form.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { useRecordForm } from '../../../lib/forms/use-record-form.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { choices } from '../../../lib/text/choices.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { TraderPicker } from '../../clients/traders/trader-picker.tsx'
import { required } from '../../firm/auth/form-rules.ts'
import { AffiliatePicker } from './affiliate-picker.tsx'
import { AFFILIATE_STATES } from './affiliate-words.tsx'
import {
  type Affiliate,
  type AffiliateDetail,
  askPayout,
  createAffiliate,
  fetchPlans,
  updateAffiliate,
} from './affiliates.api.ts'
import { say } from './words.ts'

const CODE = /^[A-Za-z0-9_-]{3,32}$/
const codeRule = (text: string): string | null => (CODE.test(text.trim()) ? null : say('affiliates.form.code_rule'))

/** Makes a client an affiliate. */
export const CreateAffiliate = ({ onClose }: { onClose: () => void }) => {
  const { field, dialog } = useDialogForm({
    initialValues: { traderId: '', code: '', parentId: '' },
    validate: { traderId: required(say('affiliates.form.client_rule')), code: codeRule },
    submit: ({ traderId, code, parentId }) =>
      createAffiliate({ traderId, code: code.trim(), parentId: parentId || null }),
    done: say('affiliates.form.created'),
    reads: 'affiliates',
    onClose,
  })
  return (
    <FormDrawer {...dialog} title={say('affiliates.form.new')} submitLabel={say('affiliates.form.create')}>
      <TraderPicker data-autofocus label={say('affiliates.form.client')} {...field('traderId')} />
      <TextInput
        label={say('affiliates.form.code')}
        description={say('affiliates.form.code_help')}
        autoComplete="off"
        {...field('code')}
      />
      <AffiliatePicker
        label={say('affiliates.form.parent')}
        description={say('affiliates.form.parent_help')}
        {...field('parentId')}
      />
    </FormDrawer>
  )
}

/** Maps the state of an affiliate to the states that can be chosen; its present state comes first. */
const NEXT: Record<Affiliate['status'], readonly Affiliate['status'][]> = {
  pending: ['pending', 'active', 'closed'],
  active: ['active', 'suspended', 'closed'],
  suspended: ['suspended', 'active', 'closed'],
  closed: ['closed'],
}

const PlanSelect = (props: Omit<SelectProps, 'data'>) => {
  const plans = useQuery({ queryKey: ['plans', 'all'], queryFn: () => fetchPlans({ limit: 200 }) })
  return (
    <Select
      label={say('affiliates.form.plan')}
      description={say('affiliates.form.plan_help')}
      data={(plans.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      clearable
      searchable
      {...props}
    />
  )
}

const CodeInput = (props: TextInputProps) => (
  <TextInput label={say('affiliates.form.code')} description={say('affiliates.form.code_change')} {...props} />
)

type ChangeAffiliateProps = { affiliate: AffiliateDetail; name: 'code' | 'planId'; onClose: () => void }

type Changed = Awaited<ReturnType<typeof updateAffiliate>>
type Terms = Partial<Pick<Changed, 'code' | 'planId' | 'parentId' | 'status'>>

const LABELS = {
  code: say('affiliates.form.code'),
  planId: say('affiliates.form.plan'),
  parentId: say('affiliates.form.parent'),
}

/** Returns a function that says how an affiliate was changed; a state that cannot come back has no Undo. */
const useToldAffiliate = () => {
  const tellChange = useToldChange('affiliates')
  return (over: Changed, saved: Changed, pick: (one: Changed) => Terms): void => {
    const before = pick(over)
    tellChange({
      before,
      after: pick(saved),
      undo: NEXT[saved.status].includes(over.status) ? () => updateAffiliate(saved, before) : null,
      done: say('affiliates.form.saved'),
      labels: LABELS,
    })
  }
}

/** Changes the code or the plan of an affiliate in its place; the request has this value alone. */
const ChangeAffiliate = ({ affiliate, name, onClose }: ChangeAffiliateProps) => {
  const live: Awaited<ReturnType<typeof updateAffiliate>> = affiliate
  const tellChange = useToldAffiliate()
  const state = useRecordForm({
    live,
    resource: 'affiliates',
    toValues: (record) => ({ [name]: record[name] ?? '' }),
    ...(name === 'code' && { validate: { code: codeRule } }),
    save: (values, over) => updateAffiliate(over, { [name]: values[name]?.trim() || null }),
    onSaved: (saved, over) => {
      tellChange(over, saved, (one) => ({ [name]: one[name] }))
      onClose()
    },
  })
  const Input = name === 'code' ? CodeInput : PlanSelect
  return (
    <InPlaceForm
      state={state}
      label={say(name === 'code' ? 'affiliates.form.code' : 'affiliates.form.plan')}
      kind={name === 'code' ? 'text' : 'choice'}
      onClose={onClose}
    >
      <Input {...state.form.getInputProps(name)} />
    </InPlaceForm>
  )
}

/** Returns the function that draws the form of a value, for the pencil beside the value. */
export const changeAffiliate =
  (affiliate: AffiliateDetail, name: 'code' | 'planId') =>
  (close: () => void): ReactNode => <ChangeAffiliate affiliate={affiliate} name={name} onClose={close} />

const pickTerms = ({ code, planId, parentId, status }: Changed): Terms => ({ code, planId, parentId, status })

/** Changes the code, plan, parent and state of an affiliate. */
export const EditAffiliate = ({ affiliate, onClose }: { affiliate: AffiliateDetail; onClose: () => void }) => {
  const initialValues: { code: string; status: string; planId: string; parentId: string } = {
    code: affiliate.code,
    status: affiliate.status,
    planId: affiliate.planId ?? '',
    parentId: affiliate.parentId ?? '',
  }
  const tellChange = useToldAffiliate()
  const { field, dialog, reload } = useDialogForm({
    initialValues,
    validate: { code: codeRule },
    submit: ({ code, status, planId, parentId }) =>
      updateAffiliate(affiliate, {
        code: code.trim(),
        planId: planId || null,
        parentId: parentId || null,
        status: NEXT[affiliate.status].find((one) => one === status) ?? affiliate.status,
      }),
    done: (saved: Changed) => tellChange(affiliate, saved, pickTerms),
    reads: 'affiliates',
    onClose,
  })
  const states = choices(AFFILIATE_STATES).filter(({ value }) => NEXT[affiliate.status].some((one) => one === value))
  return (
    <FormDrawer
      {...dialog}
      title={say('affiliates.form.edit')}
      submitLabel={say('affiliates.form.save')}
      onReload={reload}
    >
      <Select
        label={say('affiliates.form.status')}
        data={states}
        allowDeselect={false}
        data-autofocus
        {...field('status')}
      />
      <PlanSelect {...field('planId')} />
      <AffiliatePicker
        label={say('affiliates.form.parent')}
        description={say('affiliates.form.move_help')}
        {...field('parentId')}
      />
      <CodeInput {...field('code')} />
    </FormDrawer>
  )
}

type AskPayoutProps = { affiliate: Pick<AffiliateDetail, 'id' | 'stats'>; own?: boolean; onClose: () => void }

/** Requests a payout of what an affiliate earned. */
export const AskPayout = ({ affiliate, own = false, onClose }: AskPayoutProps) => {
  const { balances } = affiliate.stats
  const { form, field, dialog } = useDialogForm({
    initialValues: { currency: balances[0]?.currency ?? '', amount: '' },
    validate: {
      currency: required(say('affiliates.form.currency_rule')),
      amount: amountRule(say('affiliates.form.amount_rule')),
    },
    submit: ({ currency, amount }) => askPayout({ currency, amount, ...(!own && { affiliateId: affiliate.id }) }),
    done: say('affiliates.form.asked'),
    reads: 'payouts',
    onClose,
  })
  const { currency } = form.getValues()
  const balance = balances.find((one) => one.currency === currency)
  return (
    <FormModal {...dialog} title={say('affiliates.form.ask')} submitLabel={say('affiliates.form.ask_submit')}>
      <Select
        label={say('affiliates.form.currency')}
        data={balances.map((one) => one.currency)}
        allowDeselect={false}
        {...field('currency')}
      />
      <AmountField
        label={say('affiliates.form.amount')}
        currency={currency}
        {...(balance && {
          description: say('affiliates.form.available', { amount: groupDigits(balance.available), currency }),
        })}
        data-autofocus
        {...field('amount')}
      />
      <Text size="sm" c="dimmed">
        {say('affiliates.form.ask_help')}
      </Text>
    </FormModal>
  )
}
