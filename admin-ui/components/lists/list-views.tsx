import { Button, Checkbox, Menu, Text, TextInput } from '@mantine/core'
import { IconBookmark, IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api.ts'
import { notify, notifyFailure } from '../../lib/api/notify.tsx'
import { useCan, useMe } from '../../lib/api/session.ts'
import { useRefresh } from '../../lib/api/use-record.ts'
import { useDialogForm } from '../../lib/forms/use-dialog-form.ts'
import type { ListViews, SavedView } from '../../lib/lists/saved-views.ts'
import { say } from '../../lib/text/words.ts'
import { Confirm } from '../forms/confirm.tsx'
import { FormModal } from '../forms/form-modal.tsx'
import { useUndo } from '../forms/use-undo.ts'
import { errorText } from '../page/error-state.tsx'

type Open = 'new' | 'edit' | 'remove' | null

/** The menu of a list's saved views: the active one, the others, and the actions on them. */
export const ListViewsMenu = ({ of }: { of: ListViews }) => {
  const [open, setOpen] = useState<Open>(null)
  const { active, isChanged } = of
  const close = (): void => setOpen(null)
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="sm"
            className="views-button"
            aria-label={active ? say('lists.view_now', { name: active.name }) : say('lists.views')}
            leftSection={<IconBookmark size={16} />}
            rightSection={<IconChevronDown size={14} />}
          >
            {active ? `${active.name}${isChanged ? ' *' : ''}` : say('lists.views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          <ViewItems of={of} />
          <Menu.Divider />
          <ViewActs of={of} onOpen={setOpen} />
        </Menu.Dropdown>
      </Menu>
      {open === 'new' && <ViewForm of={of} view={null} onClose={close} />}
      {open === 'edit' && active && <ViewForm of={of} view={active} onClose={close} />}
      {active && <RemoveView of={of} view={active} opened={open === 'remove'} onClose={close} />}
    </>
  )
}

const ViewItems = ({ of: { views, active, show } }: { of: ListViews }) => {
  const item = (view: SavedView) => (
    <Menu.Item
      key={view.id}
      leftSection={<IconCheck size={14} visibility={view.id === active?.id ? 'visible' : 'hidden'} />}
      onClick={() => show(view)}
    >
      <Text size="sm" truncate maw={220}>
        {view.name}
      </Text>
      {view.isDefault && (
        <Text size="xs" c="dimmed">
          {say('lists.view_opens')}
        </Text>
      )}
    </Menu.Item>
  )
  const own = views.filter(({ shared }) => !shared)
  const shared = views.filter((view) => view.shared)
  if (views.length === 0)
    return (
      <Text size="sm" c="dimmed" px="sm" py={6}>
        {say('lists.views_none')}
      </Text>
    )
  return (
    <>
      {own.length > 0 && <Menu.Label>{say('lists.views_own')}</Menu.Label>}
      {own.map(item)}
      {shared.length > 0 && <Menu.Label>{say('lists.views_shared')}</Menu.Label>}
      {shared.map(item)}
    </>
  )
}

const ViewActs = ({ of, onOpen }: { of: ListViews; onOpen: (open: Open) => void }) => {
  const { active, isChanged, now, show } = of
  const can = useCan()
  const me = useMe()
  const refresh = useRefresh()
  const offerUndo = useUndo('saved-views')
  const mayChange = active !== null && (active.shared ? can('manager') : active.ownerId === me.id)
  const save = useMutation({
    mutationFn: ({ id, version }: SavedView) =>
      call('savedViews.update', {
        params: { id },
        body: { filters: now.filters, look: now.look },
        ifMatch: version,
      }),
    onSuccess: async ({ id, name, version }, { filters, look }) => {
      offerUndo(say('lists.view_saved', { name }), () =>
        call('savedViews.update', { params: { id }, body: { filters, look }, ifMatch: version }),
      )
      await refresh('saved-views')
    },
    onError: (error) => notifyFailure(errorText(error)),
  })
  return (
    <>
      {active && <Menu.Item onClick={() => show(null)}>{say('lists.view_leave')}</Menu.Item>}
      {active && mayChange && isChanged && (
        <Menu.Item onClick={() => save.mutate(active)}>{say('lists.view_save', { name: active.name })}</Menu.Item>
      )}
      <Menu.Item onClick={() => onOpen('new')}>{say('lists.view_new')}</Menu.Item>
      {mayChange && (
        <>
          <Menu.Item onClick={() => onOpen('edit')}>{say('lists.view_edit')}</Menu.Item>
          <Menu.Item mod="danger" onClick={() => onOpen('remove')}>
            {say('lists.view_remove')}
          </Menu.Item>
        </>
      )}
    </>
  )
}

type RemoveProps = { of: ListViews; view: SavedView; opened: boolean; onClose: () => void }

const RemoveView = ({ of, view, opened, onClose }: RemoveProps) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('saved-views')
  return (
    <Confirm
      title={say('lists.view_remove_title', { name: view.name })}
      confirmLabel={say('lists.view_remove')}
      opened={opened}
      onClose={onClose}
      action={async () => {
        await call('savedViews.delete', { params: { id: view.id }, ifMatch: view.version })
        of.show(null)
        const { name, filters, look, shared, isDefault } = view
        const message = say('lists.view_removed', { name })
        // No undo for a shared view: it would be created anew as the reader's own, and could replace a newer default.
        if (shared) notify(message)
        else
          offerUndo(message, () =>
            call('savedViews.create', { body: { list: of.now.list, name, filters, look, shared, isDefault } }),
          )
        await refresh('saved-views')
      }}
    >
      {say(view.shared ? 'lists.view_remove_shared' : 'lists.view_remove_own')}
    </Confirm>
  )
}

/** Saves the present list as a view, or changes the name of a view and who sees it. */
const ViewForm = ({ of, view, onClose }: { of: ListViews; view: SavedView | null; onClose: () => void }) => {
  const can = useCan()
  const { form, field, dialog } = useDialogForm({
    initialValues: { name: view?.name ?? '', shared: view?.shared ?? false, isDefault: view?.isDefault ?? false },
    validate: { name: (name) => (name.trim() === '' ? say('lists.view_name_needed') : null) },
    submit: (values) => {
      const body = { ...values, name: values.name.trim() }
      return view
        ? call('savedViews.update', { params: { id: view.id }, body, ifMatch: view.version })
        : call('savedViews.create', { body: { ...of.now, ...body } })
    },
    done: say('lists.view_kept'),
    reads: 'saved-views',
    onClose,
    ...(!view && { onDone: (made: SavedView) => of.show(made) }),
  })
  return (
    <FormModal
      {...dialog}
      title={say(view ? 'lists.view_edit' : 'lists.view_new')}
      submitLabel={say('lists.view_keep')}
    >
      <TextInput label={say('lists.view_name')} maxLength={60} data-autofocus {...field('name')} />
      <Checkbox
        label={say('lists.view_default')}
        description={say('lists.view_default_help')}
        {...form.getInputProps('isDefault', { type: 'checkbox' })}
      />
      {can('manager') && (
        <Checkbox
          label={say('lists.view_share')}
          description={say('lists.view_share_help')}
          {...form.getInputProps('shared', { type: 'checkbox' })}
        />
      )}
      {!view && (
        <Text size="sm" c="dimmed">
          {say('lists.view_help')}
        </Text>
      )}
    </FormModal>
  )
}
