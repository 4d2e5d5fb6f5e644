import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useOfferedActs } from '../../lib/screen/page-acts.ts'

export type MenuAction = {
  label: string
  icon?: ReactNode
  danger?: boolean
  onClick: () => void
}

type MoreMenuProps = {
  /** The label of the dots, such as "Actions for ACME key", or the text of the wide button. */
  label: string
  actions: readonly (MenuAction | false)[]
  /** Draws a full button with text, for a page's header; rows have the dots. */
  wide?: boolean
}

const NONE: readonly MenuAction[] = []

/** A menu of the less used actions of a row or a page. It draws nothing if there are none. */
export const MoreMenu = ({ label, actions, wide = false }: MoreMenuProps) => {
  const shown = actions.filter((action) => action !== false)
  // the menus of rows have the same acts for each row
  useOfferedActs(wide ? shown : NONE)
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
