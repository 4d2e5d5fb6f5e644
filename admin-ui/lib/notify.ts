import { notifications } from '@mantine/notifications'

/** Says that something has been done. Failures are shown where they happened, not here. */
export const notify = (message: string): void => {
  notifications.show({ message })
}
