import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useDialogForm } from '../../../lib/forms/use-dialog-form.ts'
import { choices } from '../../../lib/text/choices.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { isMoneyRate, MODEL_LABELS } from './affiliate-words.tsx'
import { createPlan, type Plan, updatePlan } from './affiliates.api.ts'
import { Calculator } from './plan-calculator.tsx'
import {
  emptyRule,
  OVERRIDE_LABELS,
  type PlanValues,
  planTerms,
  planValues,
  RULE_CHECKS,
  type RuleValues,
} from './plan-values.ts'
import { say } from './words.ts'
import './affiliates.css'

const MODELS = choices(MODEL_LABELS)
const isModel = (value: string | null): value is RuleValues['model'] => value !== null && value in MODEL_LABELS
const OVERRIDES = choices(OVERRIDE_LABELS)

type Field = (path: string) => Record<string, unknown>

const RuleFields = ({
  rule,
  at,
  field,
  currency,
  onModel,
}: {
  rule: RuleValues
  at: string
  field: Field
  currency: string
  onModel: (model: string | null) => void
}) => (
  <Stack gap="xs">
    <Select
      label={say('affiliates.plan.model')}
      data={MODELS}
      allowDeselect={false}
      {...field(`${at}.model`)}
      onChange={onModel}
    />
    {/* a new client is paid for once, whatever symbols they trade */}
    {rule.model !== 'cpa' && (
      <TagsInput
        label={say('affiliates.plan.symbols')}
        description={say('affiliates.plan.symbols_help')}
        placeholder={rule.symbols.length === 0 ? say('affiliates.plan.symbols_example') : ''}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        {...field(`${at}.symbols`)}
      />
    )}
    {isMoneyRate(rule.model) ? (
      <AmountField
        label={say('affiliates.plan.rate_money', { currency })}
        describeAmount={(amount) => `= ${amount} ${currency}`}
        {...field(`${at}.rate`)}
      />
    ) : (
      <TextInput label={say('affiliates.plan.rate_share')} inputMode="decimal" {...field(`${at}.rate`)} />
    )}
    {rule.model === 'cpa' && (
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <AmountField
          label={say('affiliates.plan.min_deposit', { currency })}
          currency={currency}
          {...field(`${at}.minDeposit`)}
        />
        <AmountField
          label={say('affiliates.plan.min_lots')}
          describeAmount={(lots) => `= ${lots}`}
          {...field(`${at}.minLots`)}
        />
      </SimpleGrid>
    )}
  </Stack>
)

type PlanFormProps = { plan?: Plan; onClose: () => void }

const toBody = (values: PlanValues) => ({ name: values.name.trim(), ...planTerms(values) })

const usePlanForm = ({ plan, onClose }: PlanFormProps) => {
  const offerUndo = useUndo('plans')
  return useDialogForm<PlanValues, Plan>({
    initialValues: planValues(plan),
    validate: {
      name: required(say('affiliates.plan.name_rule')),
      currency: required(say('affiliates.form.currency_rule')),
      rules: {
        symbols: (symbols) => (symbols.length > 0 ? null : say('affiliates.plan.symbols_rule')),
        ...RULE_CHECKS,
      },
    },
    submit: (values) => (plan ? updatePlan(plan, toBody(values)) : createPlan(toBody(values))),
    done: (saved) => {
      // The former terms become a further version, since earlier ones are kept.
      if (plan) offerUndo(say('affiliates.plan.saved'), () => updatePlan(saved, toBody(planValues(plan))))
      else notify(say('affiliates.plan.made'))
    },
    reads: 'plans',
    onClose,
  })
}
type PlanFormState = ReturnType<typeof usePlanForm>['form']

/** Creates a plan, or the next version of one, with a calculator that shows who would get what and why. */
export const PlanForm = (props: PlanFormProps) => {
  const { plan } = props
  const can = useCan()
  const { form, dialog, reload } = usePlanForm(props)
  const field: Field = (path) => ({ ...form.getInputProps(path) })
  const { override, maxLevels } = form.getValues()
  return (
    <FormDrawer
      {...dialog}
      title={plan ? plan.name : say('affiliates.plan.new')}
      submitLabel={plan ? say('affiliates.plan.save') : say('affiliates.plan.make')}
      onReload={reload}
      wide
    >
      {plan && (
        <Text size="sm" c="dimmed">
          {can('admin') ? say('affiliates.plan.edit_about') : say('affiliates.plan.admin')}
        </Text>
      )}
      <SimpleGrid cols={2} spacing="sm">
        <TextInput label={say('affiliates.plan.name')} data-autofocus {...field('name')} />
        <CurrencyField {...field('currency')} />
      </SimpleGrid>
      <Rules form={form} field={field} />
      <OverrideFields isSplit={override === 'split'} field={field} />
      <SimpleGrid cols={2} spacing="sm">
        <NumberInput
          label={say('affiliates.plan.levels')}
          min={1}
          max={10}
          allowDecimal={false}
          {...field('maxLevels')}
        />
        <TextInput label={say('affiliates.plan.cap')} inputMode="decimal" {...field('cap')} />
      </SimpleGrid>
      {can('admin') && <Calculator values={form.getValues()} levels={Number(maxLevels)} />}
    </FormDrawer>
  )
}

/** Edits the rules of a plan in their order: the first one that fits a trade counts. */
const Rules = ({ form, field }: { form: PlanFormState; field: Field }) => {
  const { rules, currency } = form.getValues()
  return (
    <>
      <Text size="sm" fw={600}>
        {say('affiliates.plan.rules_in_order')}
      </Text>
      {rules.map((rule, index) => (
        <div className="rule-box" key={rule.key}>
          <Group justify="space-between" mb={6}>
            <Text size="sm" c="dimmed">
              {say('affiliates.plan.rule_number', { number: index + 1 })}
            </Text>
            {rules.length > 1 && (
              <ActionIcon
                aria-label={say('affiliates.plan.remove_rule', { number: index + 1 })}
                onClick={() => form.removeListItem('rules', index)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </Group>
          <RuleFields
            rule={rule}
            at={`rules.${index}`}
            field={field}
            currency={currency}
            // The rate is emptied: an amount of money makes no sense as a share, nor a share as an amount.
            onModel={(model) =>
              form.replaceListItem('rules', index, { ...rule, ...(isModel(model) && { model }), rate: '' })
            }
          />
        </div>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={14} />}
        onClick={() => form.insertListItem('rules', emptyRule())}
        style={{ alignSelf: 'flex-start' }}
      >
        {say('affiliates.plan.add_rule')}
      </Button>
    </>
  )
}

/** Asks what those above an affiliate get: the difference to their own rates, or fixed parts. */
const OverrideFields = ({ isSplit, field }: { isSplit: boolean; field: Field }) => (
  <>
    <Select
      label={say('affiliates.plan.override')}
      description={isSplit ? say('affiliates.plan.split_help') : say('affiliates.plan.difference_help')}
      data={OVERRIDES}
      allowDeselect={false}
      {...field('override')}
    />
    {isSplit && (
      <TagsInput
        label={say('affiliates.plan.splits')}
        description={say('affiliates.plan.splits_help')}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        allowDuplicates
        {...field('splits')}
      />
    )}
  </>
)
