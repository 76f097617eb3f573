/**
 * The number of failures of the entry before the page shows the failure. The pause doubles after each failure: half a
 * minute in all.
 */
const FAILURES_MAX = 6
/** A page that is never idle starts the application after this time. */
const IDLE_LIMIT_MS = 1000

/** The files of the application's start. Their addresses have no first slash. */
export interface StartFiles {
  entry: string
  /** Loaded side by side with the entry. */
  scripts: readonly string[]
  /** Files that the hydrated page needs. They are fetched at the same time, after the other files. */
  later_scripts: readonly string[]
}

/**
 * Starts the application after the first frame, when the page is idle. A press, a key, a returning user and a link with
 * parameters start the application at once. With Save-Data only these four start the application.
 */
export function landingScript(files: StartFiles): string {
  return `;(function () {
      ${startFunction(files)}
      var known = document.documentElement.dataset
      on(['pointerdown', 'keydown'], start)
      if ('member' in known || 'returning' in known || location.search) return start()
      if (navigator.connection && navigator.connection.saveData) return
      requestAnimationFrame(function () {
        if (window.requestIdleCallback) requestIdleCallback(start, { timeout: ${IDLE_LIMIT_MS} })
        else setTimeout(start)
      })
    })()`
}

/** The script of a page without a prerendered screen. Its links load the files of the application. */
export function appScript(entry: string): string {
  return `;(function () {
      ${startFunction({ entry, scripts: [], later_scripts: [] })}
      on(['pointerdown', 'keydown'], start)
      start()
    })()`
}

/**
 * `start()` loads the entry once. After a failure the load is repeated: after a pause, at the next press, and when the
 * network is back.
 */
function startFunction({ entry, scripts, later_scripts }: StartFiles): string {
  return `var started
      var failures = 0
      var isOffline = false
      function preload(href, priority) {
        document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: '/' + href, crossOrigin: '', fetchPriority: priority }))
      }
      function start() {
        if (started) return
        started = true
        if (failures === 0) {
          for (const href of ${JSON.stringify(scripts)}) preload(href, 'auto')
          for (const href of ${JSON.stringify(later_scripts)}) preload(href, 'low')
        }
        import('/${entry}').catch(function () {
          started = false
          isOffline = !navigator.onLine
          if (isOffline) return
          failures += 1
          if (failures < ${FAILURES_MAX}) setTimeout(start, 500 * 2 ** failures)
          else duetFailed()
        })
      }
      function on(types, listener) {
        for (const type of types) addEventListener(type, listener, { capture: true, passive: true })
      }
      on(['online'], function () {
        if (failures || isOffline) start()
      })`
}
