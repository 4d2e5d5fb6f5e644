import { Checkbox, Input, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { InCode } from '../show/in-code.tsx'

export type GroupedChoice<T extends string> = { value: T; description: string; group: string }

type ChoiceGroupsProps<T extends string> = {
  legend: string
  choices: readonly GroupedChoice<T>[]
  value: readonly T[]
  onChange: ((value: T[]) => void) | undefined
  error?: ReactNode
  'aria-required'?: boolean
}

const grouped = <T extends string>(choices: readonly GroupedChoice<T>[]): [string, GroupedChoice<T>[]][] => {
  const groups = new Map<string, GroupedChoice<T>[]>()
  for (const choice of choices) groups.set(choice.group, [...(groups.get(choice.group) ?? []), choice])
  return [...groups]
}

/**
 * Offers many choices in groups, such as the events of a webhook. Each has a label, which can be clicked too, and its
 * name.
 */
export const ChoiceGroups = <T extends string>({
  legend,
  choices,
  value,
  onChange,
  error,
  'aria-required': needed,
}: ChoiceGroupsProps<T>) => {
  const toggle = (one: T): void =>
    onChange?.(value.includes(one) ? value.filter((other) => other !== one) : [...value, one])
  return (
    <fieldset className="choices" data-needed={needed || undefined}>
      <Text component="legend" size="sm" fw={600}>
        {legend}
      </Text>
      <div className="choices-list">
        {grouped(choices).map(([group, members]) => (
          <div key={group} className="choices-group">
            <Text size="sm" fw={500}>
              {group}
            </Text>
            <Stack gap={8}>
              {members.map((member) => (
                <Checkbox
                  key={member.value}
                  size="xs"
                  aria-label={member.description.replaceAll('`', '')}
                  label={
                    <>
                      <InCode text={member.description} />
                      <span className="choice-name">{member.value}</span>
                    </>
                  }
                  checked={value.includes(member.value)}
                  onChange={() => toggle(member.value)}
                />
              ))}
            </Stack>
          </div>
        ))}
      </div>
      {error && <Input.Error mt={4}>{error}</Input.Error>}
    </fieldset>
  )
}
