import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Switch, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { inOrder, type ListLook } from '../../lib/lists/list-look.ts'
import { say } from '../../lib/text/words.ts'

type DisplayProps = {
  /** The columns that can be hidden and moved. */
  columns: readonly { key: string; title: string }[]
  look: ListLook
}

/** Chooses which columns a list shows, in which order, and the height of its rows. */
export const ListDisplay = ({ columns, look }: DisplayProps) => {
  const titled = inOrder(columns, look.order).filter(({ title }) => title !== '')
  return (
    <Popover position="bottom-end" shadow="md" withinPortal trapFocus returnFocus width={280}>
      <Popover.Target>
        <Tooltip label={say('lists.columns')}>
          <ActionIcon size="lg" className="toolbar-columns" aria-label={say('lists.columns_choose')}>
            <IconColumns3 size={18} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={say('lists.columns_choose')}>
        <Stack gap={6}>
          {titled.map(({ key, title }, index) => (
            <Group key={key} gap={2} wrap="nowrap">
              <Checkbox
                size="xs"
                flex={1}
                label={title}
                // The first column names the row.
                disabled={columns[0]?.key === key}
                checked={!look.hidden.includes(key)}
                onChange={() => look.toggle(key)}
              />
              <ActionIcon
                size="sm"
                disabled={index === 0}
                aria-label={say('lists.column_up', { column: title })}
                onClick={() => look.move(key, -1)}
              >
                <IconArrowUp size={14} />
              </ActionIcon>
              <ActionIcon
                size="sm"
                disabled={index === titled.length - 1}
                aria-label={say('lists.column_down', { column: title })}
                onClick={() => look.move(key, 1)}
              >
                <IconArrowDown size={14} />
              </ActionIcon>
            </Group>
          ))}
          <Group justify="space-between" mt={6} wrap="nowrap">
            <Switch
              size="xs"
              label={say('lists.dense')}
              checked={look.dense}
              onChange={(event) => look.setDense(event.currentTarget.checked)}
            />
            <Button size="compact-xs" variant="subtle" disabled={!look.isArranged} onClick={look.reset}>
              {say('lists.reset')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
