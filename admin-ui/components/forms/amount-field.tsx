import { Button, Group, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useId, useState } from 'react'
import {
  AMOUNT,
  fitAmount,
  heldAs,
  type Kind,
  printAmount,
  printApart,
  type Reading,
  readAmount,
} from '../../lib/text/amount-text.ts'
import { findScale } from '../../lib/text/currency-scale.ts'
import { compareDecimal, isDecimal } from '../../lib/text/decimal.ts'
import { say } from '../../lib/text/words.ts'

type AmountFieldProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> & {
  /** The currency of the amount; without one the number of decimals is not known. */
  currency?: string
  /** Shows the currency in the field, if no field beside it does. */
  showCurrency?: boolean
  /** The kind of number, if it is no amount. */
  kind?: Kind
  /** Returns the amount as a sentence. */
  describeAmount?: (printed: string) => string
  /** The amount in the API's form; a text that is no amount is returned with a mark, so that every check refuses it. */
  value?: string
  onChange?: (amount: string) => void
}

/**
 * The text in the field. `sure` is its amount if there is no doubt: the reader chose it, or the field printed it.
 * `held` is the field's value.
 */
type Typed = { text: string; sure: string | null; held: string }

const printed = (amount: string): Typed => ({
  text: printAmount(amount),
  sure: isDecimal(amount) ? amount : null,
  held: amount,
})

const readTyped = ({ text, sure }: Typed, scale: number | null, kind: Kind): Reading =>
  sure === null || text === '' ? readAmount(text, scale, kind) : fitAmount(sure, scale, kind)

const sameAmount = (a: string, b: string): boolean => isDecimal(a) && isDecimal(b) && compareDecimal(a, b) === 0
/**
 * Returns whether an amount has more decimals than its currency, even if they are zeros: the API refuses such an
 * amount.
 */
const isTooFine = (amount: string, scale: number | null): boolean =>
  scale !== null && (amount.split('.')[1]?.length ?? 0) > scale

/** A field for an amount as people write it. It shows the amount below, and asks about an ambiguous text. */
export const AmountField = ({
  currency = '',
  showCurrency = false,
  kind = AMOUNT,
  describeAmount = (amount) => `= ${amount} ${currency}`,
  value = '',
  onChange,
  onBlur,
  ...props
}: AmountFieldProps) => {
  const echo = useId()
  const scale = findScale(currency)
  const [typed, setTyped] = useState(() => printed(value))
  const reading = readTyped(typed, scale, kind)
  const take = (text: string, sure: string | null): void => {
    const held = heldAs(readTyped({ text, sure, held: '' }, scale, kind), text)
    setTyped({ text, sure, held })
    onChange?.(held)
  }
  const now = heldAs(reading, typed.text)
  useEffect(() => {
    // The form was reset or filled elsewhere; or the currency changed, and with it the meaning of the text.
    if (value !== typed.held) setTyped(printed(value))
    else if (now !== typed.held && (!sameAmount(now, typed.held) || isTooFine(typed.held, scale))) {
      setTyped({ ...typed, held: now })
      onChange?.(now)
    }
  }, [value, now, typed, onChange, scale])
  return (
    <div>
      <TextInput
        inputMode="decimal"
        autoComplete="off"
        className="amount-field"
        {...(showCurrency &&
          currency && { rightSection: <span className="amount-currency">{currency}</span>, rightSectionWidth: 56 })}
        {...props}
        aria-describedby={echo}
        value={typed.text}
        onChange={(event) => take(event.currentTarget.value, null)}
        onBlur={(event) => {
          if (reading.state === 'ok') take(printAmount(reading.amount), reading.amount)
          onBlur?.(event)
        }}
      />
      <div id={echo} className="amount-echo" aria-live="polite">
        <Echo
          reading={reading}
          describeAmount={describeAmount}
          quiet={Boolean(props.error)}
          onChoose={(amount) => take(printAmount(amount), amount)}
        />
      </div>
    </div>
  )
}

type EchoProps = {
  reading: Reading
  describeAmount: (printed: string) => string
  quiet: boolean
  onChoose: (amount: string) => void
}

const Echo = ({ reading, describeAmount, quiet, onChoose }: EchoProps) => {
  if (reading.state === 'empty') return null
  if (reading.state === 'ok') {
    return (
      <Text size="xs" c="dimmed" className="money">
        {describeAmount(printAmount(reading.amount))}
      </Text>
    )
  }
  if (reading.state === 'bad') {
    return quiet ? null : (
      <Text size="xs" className="error-text">
        {reading.why}
      </Text>
    )
  }
  const printed = printApart(reading.readings)
  return (
    <Group gap={6} role="group" aria-label={say('parts.amount.doubt.label')}>
      <Text size="xs">{say('parts.amount.doubt.title')}</Text>
      {reading.readings.map((amount, index) => (
        <Button key={amount} size="compact-xs" variant="default" className="money" onClick={() => onChoose(amount)}>
          {printed[index]}
        </Button>
      ))}
    </Group>
  )
}
