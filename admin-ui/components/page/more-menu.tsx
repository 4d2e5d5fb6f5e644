import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export type MenuAction = {
  label: string
  icon?: ReactNode
  danger?: boolean
  onClick: () => void
}

type MoreMenuProps = {
  /** Of the dots: what the actions belong to, "Actions for ACME key". Of the wide button: its words. */
  label: string
  actions: readonly (MenuAction | false)[]
  /** A full button with words, for a page's head; rows take the dots. */
  wide?: boolean
}

/** The actions of a row or a page that are not used at every visit. Draws nothing when there are none. */
export const MoreMenu = ({ label, actions, wide = false }: MoreMenuProps) => {
  const shown = actions.filter((action) => action !== false)
  if (shown.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        {wide ? (
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            {label}
          </Button>
        ) : (
          <ActionIcon aria-label={label} className="row-menu">
            <IconDots size={18} />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {shown.map(({ label: name, icon, danger, onClick }) => (
          <Menu.Item key={name} leftSection={icon} mod={{ danger }} onClick={onClick}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
