import { useEffect } from 'react'

/** Keeps the screen of the device on while `on`. A hidden page loses the lock, so a shown page asks again. */
export function useWakeLock(on: boolean): void {
  useEffect(() => {
    if (!on || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let isOver = false
    const request = async () => {
      if (document.visibilityState !== 'visible') return
      // A device that saves power refuses it.
      const given = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isOver) return void given?.release()
      lock = given
    }
    void request()
    document.addEventListener('visibilitychange', request)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', request)
      void lock?.release()
    }
  }, [on])
}
