import { Checkbox, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Role, useMe } from '../../../lib/api/session.ts'
import { grantable, ROLE_HINTS, tidyRoles } from '../users/user-words.ts'
import { say } from './words.ts'

type RolesFieldProps = { value?: Role[]; onChange?: (roles: Role[]) => void; error?: ReactNode }

/** Offers the roles that the reader may give: none above their own. */
export const RolesField = ({ value = [], onChange, error }: RolesFieldProps) => {
  const { role } = useMe()
  const options = grantable(role)
  return (
    <Checkbox.Group
      label={say('users.roles')}
      value={value}
      error={error}
      onChange={(next) => onChange?.(tidyRoles(options.map(({ value }) => value).filter((one) => next.includes(one))))}
    >
      <Stack gap={8} mt={6} mb={4}>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            size="xs"
            value={option.value}
            label={option.label}
            description={ROLE_HINTS[option.value]}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
