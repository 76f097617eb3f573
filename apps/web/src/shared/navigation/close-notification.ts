/** Closes the messages that the browser shows under this tag: the page shows the same. */
export async function closeNotification(tag: string): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  for (const shown of (await registration?.getNotifications({ tag })) ?? []) shown.close()
}
