import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { say } from '../text/words.ts'

/** Says that something has been done. Failures are shown where they happened, as long as that place stays. */
export const notify = (message: string): void => {
  notifications.show({ closeButtonProps: { 'aria-label': say('common.close') }, message })
}

/** Says what failed where the reader may have left meanwhile. It stays until somebody has read it. */
export const notifyFailure = (message: string): void => {
  notifications.show({
    closeButtonProps: { 'aria-label': say('common.close') },
    message,
    color: 'red',
    autoClose: false,
  })
}

/** Says what has been done with something that is no longer before the reader, and leads to it. */
export const notifyOf = (message: string, view: () => void): void => {
  const id = notifications.show({
    closeButtonProps: { 'aria-label': say('common.close') },
    message: (
      <>
        {message}{' '}
        <Anchor
          component="button"
          size="sm"
          onClick={() => {
            notifications.hide(id)
            view()
          }}
        >
          {say('lists.view')}
        </Anchor>
      </>
    ),
  })
}
