/** A reader who gives no sign sees live figures after this time. */
const PASSIVE_START_MS = 5000
/** After the first frame was made: the time in which a slow device draws it. */
const REST_DELAY_MS = 100
/** Failures of the entry before the page says so, each followed by twice the pause of the former one: half a minute in all. */
const FAILURES_MAX = 6

const ICON = '<link rel="icon" href="/favicon.svg" type="image/svg+xml" />'

/**
 * The icon of the landing page, which follows the first frame: fetched and drawn with it, it would take the processor from it. An
 * empty address keeps the browser from looking for an icon by itself; without scripts the icon is a plain link.
 */
export function withLaterIcon(page: string): string {
  if (!page.includes(ICON)) throw new Error('The page has no icon')
  const later = ICON.replace('href="', 'href="data:," data-later="')
  return page.replace(ICON, `${later}<noscript>${ICON}</noscript>`)
}

/** The files of the application's start; their addresses have no first slash. */
export interface StartFiles {
  entry: string
  /** Loaded side by side with the entry. */
  scripts: readonly string[]
  /** Needed once the page is hydrated; fetched at the same time, after the others. */
  runtime_scripts: readonly string[]
  styles: readonly string[]
}

/**
 * The script that starts the application: at a press or a key, at once for a user who was here before or whose link has
 * parameters, at the first other sign of a reader once the page is loaded, or after a time without any.
 *
 * Until the first paint the icon and the second portrait are not fetched and nothing is decorated (`data-decorated` ends that). What is
 * below the first screen has no styles and fonts and is not laid out until the first frame was made; then one section a frame is
 * (`data-near`), so that no task is long, until all are (`data-laid-out`). A reader who wants to go there gets everything at once.
 */
export function landingScript(files: StartFiles): string {
  return `;(function () {
      ${startFunction(files)}
      var known = document.documentElement.dataset
      var isComplete = false
      function addLaterParts() {
        if (isComplete) return
        isComplete = true
        var styles = document.createElement('style')
        styles.textContent = document.getElementById('later-styles').textContent
        // Their place is before the application's stylesheet, which has more rules.
        document.getElementById('first-styles').after(styles)
        addPageFonts('later-fonts')
      }
      function layOutRest() {
        addLaterParts()
        // Some browsers report no paint, and none reports one of a tab that was never shown.
        decorate()
        known.laidOut = ''
      }
      function decorate() {
        known.decorated = ''
        var icon = document.querySelector('link[data-later]')
        if (icon) icon.href = icon.dataset.later
      }
      function layOutNext() {
        var section = document.querySelector(':is(.below-fold, .below-fold-phone):not([data-near])')
        addLaterParts()
        if (!section) return layOutRest()
        section.dataset.near = ''
        afterFrame(layOutNext, 0)
      }
      function afterFrame(next, delay) {
        requestAnimationFrame(function () {
          setTimeout(next, delay)
        })
      }
      function afterPaint(next) {
        var types = window.PerformanceObserver && PerformanceObserver.supportedEntryTypes
        if (!types || !types.includes('paint')) return afterFrame(next, ${REST_DELAY_MS})
        new PerformanceObserver(function (list, observer) {
          if (list.getEntriesByName('first-contentful-paint').length === 0) return
          observer.disconnect()
          next()
        }).observe({ type: 'paint', buffered: true })
      }
      on(['pointerdown', 'touchstart', 'keydown', 'wheel', 'scroll', 'beforeprint'], layOutRest)
      afterPaint(decorate)
      if (location.hash) layOutRest()
      else afterFrame(layOutNext, ${REST_DELAY_MS})
      on(['pointerdown', 'keydown'], start)
      if ('member' in known || 'returning' in known || location.search) return start()
      addEventListener('load', function () {
        on(['pointermove', 'touchstart', 'wheel', 'scroll', 'focusin'], start)
        setTimeout(start, ${PASSIVE_START_MS})
      })
    })()`
}

/** The script of a page without a prerendered screen. Its links load what the application needs. */
export function appScript(entry: string): string {
  return `;(function () {
      ${startFunction({ entry, scripts: [], runtime_scripts: [], styles: [] })}
      on(['pointerdown', 'keydown'], start)
      start()
    })()`
}

/** `start()` loads the entry once. When that fails it is tried again after a pause, at the next sign, and when the network is back. */
function startFunction({ entry, scripts, runtime_scripts, styles }: StartFiles): string {
  return `var started
      var failures = 0
      function preload(rel, as, href, priority) {
        document.head.appendChild(Object.assign(document.createElement('link'), { rel: rel, as: as, href: '/' + href, crossOrigin: '', fetchPriority: priority || 'auto' }))
      }
      function start() {
        if (started) return
        started = true
        if (failures === 0) {
          for (const href of ${JSON.stringify(styles)}) preload('preload', 'style', href)
          for (const href of ${JSON.stringify(scripts)}) preload('modulepreload', '', href)
          for (const href of ${JSON.stringify(runtime_scripts)}) preload('modulepreload', '', href, 'low')
        }
        import('/${entry}').catch(function () {
          started = false
          if (!navigator.onLine) return
          failures += 1
          if (failures < ${FAILURES_MAX}) setTimeout(start, 500 * 2 ** failures)
          else duetFailed()
        })
      }
      function on(types, listener) {
        for (const type of types) addEventListener(type, listener, { capture: true, passive: true })
      }
      on(['online'], function () {
        if (failures) start()
      })`
}
