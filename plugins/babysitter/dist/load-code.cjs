"use strict";const e=require("./looking.cjs"),t=require("./babysitter.cjs"),n=require("./shared.cjs");let r;const i=()=>r??=require("node:fs");let a;const o=()=>a??=require("node:path");let s;const c=()=>s??=require("node:crypto");let l;const u=()=>l??=t.__toESM(require("node:module"),1);let d;const f=()=>d??=require("node:vm");let ee;const p=()=>ee??=require("node:url");let te;const m=()=>te??=require("node:worker_threads"),h=u().default,g=new Set,_=new Set,v=new Map;let y,b=!1;function x(e){y=e.door??y;for(let t of e.roots)g.add(t);for(let t of e.files)_.add(t);for(let[t,n]of e.modules)v.set(t,n);b||re(),b=!0}function ne(e){for(let t of e)delete h._cache[t],v.delete(t)}function re(){let{_load:t,_resolveFilename:n}=h;h._load=function(e,n,...r){if(e!==`@a5c-ai/babysitter-sdk`||y===void 0)return t.call(this,e,n,...r);if(se(n))return y;try{return t.call(this,e,n,...r)}catch(e){if(e.code===`MODULE_NOT_FOUND`)return y;throw e}},h._resolveFilename=function(t,r,...i){return(e.isLocalSpecifier(t)&&S(r)?C(t,r):void 0)??n.call(this,t,r,...i)};for(let e of[`.js`,`.mjs`,`.cjs`,`.ts`,`.mts`,`.cts`])ie(e)}function ie(e){let t=h._extensions[e],n=(e,n)=>{let r=v.get(n);if(r===void 0)return(t??h._extensions[`.js`])?.(e,n);ae(e,n,r)},r=t!==void 0;Object.defineProperty(h._extensions,e,{value:n,enumerable:r,configurable:!0,writable:!0})}function ae(e,t,n){if(n.format===`failed`)throw n.error;n.format===`module`?e.exports=oe(n.namespace):e._compile(n.source,t,`commonjs`)}function oe(e){if(Object.hasOwn(e,`module.exports`))return e[`module.exports`];if(!Object.hasOwn(e,`default`)||Object.hasOwn(e,`__esModule`))return e;let t=Object.create(null);for(let n of Object.keys(e))Object.defineProperty(t,n,{get:()=>e[n],enumerable:!0});return Object.defineProperty(t,"__esModule",{value:!0,enumerable:!0})}function se(e){return e?.filename?.split(o().sep).includes(`node_modules`)===!1||S(e)}function S(t){let n=t?.filename;return typeof n==`string`&&(_.has(n)||e.isProjectFile(n,[...g]))}function C(t,n){return t.startsWith(`file:`)?void 0:e.resolveLocal(t,(0,o().dirname)(n.filename))?.file}const w=`babysitter`,T=new Map,E=new Map;function ce(e){let t=Array.from(e.files.values(),e=>{let t=Array.from(e.imports,([e,t])=>[e,t.file]);return[e.path,`${e.sha} ${JSON.stringify(t)}`]});if(t.every(([e,t])=>(T.get(e)??t)===t)){for(let[e,n]of t)T.set(e,n);return``}let n=`${e.entry}\0${e.hash}`,r=(E.get(n)??0)+1;return E.set(n,r),e.hash.slice(0,16)+(r===1?``:`-${r}`)}function le(e){for(let t of e.files.keys())T.set(t,`failed`)}function D(e,t){let{href:n}=(0,p().pathToFileURL)(e);return t===``?n:`${n}?${w}=${t}`}const ue=`
import { receiveMessageOnPort } from "node:worker_threads";

let port;
let door;
const roots = new Set();
const links = new Map();
const modules = new Map();

export function initialize(data) {
  port = data.port;
}

export function learn(lesson) {
  door = lesson.door ?? door;
  for (const root of lesson.roots) roots.add(root);
  for (const key of Object.keys(lesson.links)) links.set(key, lesson.links[key]);
  for (const key of Object.keys(lesson.modules)) modules.set(key, lesson.modules[key]);
}

function catchUp() {
  if (port === undefined) return;
  for (let waiting; (waiting = receiveMessageOnPort(port)); ) learn(waiting.message);
}

// A process may add queries of its own; only ours tells versions apart.
function keyOf(url) {
  const end = url.search(/[?#]/);
  if (end < 0) return url;
  const version = /[?&]${w}=[^&#]*/.exec(url.slice(end));
  return url.slice(0, end) + (version ? "?" + version[0].slice(1) : "");
}

function isProjectFile(url) {
  for (const root of roots) {
    if (url.startsWith(root) && !url.slice(root.length - 1).includes("/node_modules/")) return true;
  }
  return false;
}

// Only packages may have a copy of their own.
function isOwn(url) {
  return !url.includes("/node_modules/") || isProjectFile(url);
}

function installedOr(ours, find) {
  try {
    const found = find();
    return typeof found?.then === "function" ? found.then(undefined, () => ours) : found;
  } catch {
    return ours;
  }
}

// In-thread hooks are asked about require() too, which has patches of its own.
function isRequire(context) {
  return Array.from(context.conditions ?? []).includes("require");
}

export function resolve(specifier, context, next) {
  catchUp();
  const parent = context.parentURL;
  if (typeof parent !== "string" || !parent.startsWith("file:") || isRequire(context)) return next(specifier, context);
  if (specifier === ${JSON.stringify(e.SDK_NAME)} && door !== undefined) {
    const ours = { url: door, format: "module", shortCircuit: true };
    return isOwn(parent) ? ours : installedOr(ours, () => next(specifier, context));
  }
  const url = links.get(keyOf(parent))?.[specifier];
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}

export function load(url, context, next) {
  catchUp();
  const known = isRequire(context) ? undefined : modules.get(keyOf(url));
  if (known === undefined) return next(url, context);
  // Without a source Node asks the CommonJS loader, where our patches wait.
  if (known.format === "commonjs") return { format: "commonjs", source: null, shortCircuit: true };
  if (known.source === undefined) return next(url, { ...context, format: "module" });
  return { format: "module", source: known.source, shortCircuit: true };
}
`,O=`data:text/javascript,${encodeURIComponent(ue)}`,k=new Set;let A;async function j(e){try{return await import(e)}catch(e){throw de(e),e}}function de(e){k.add(e),A??=fe(),setImmediate(()=>{k.delete(e),k.size>0||(A?.(),A=void 0)})}function fe(){let e=Object.getOwnPropertyDescriptor(process,`emit`),t=Reflect.get(process,`emit`);return Object.defineProperty(process,"emit",{value:(...e)=>e[0]===`unhandledRejection`&&k.has(e[1])||!!Reflect.apply(t,process,e),configurable:!0,writable:!0}),()=>{e===void 0?Reflect.deleteProperty(process,`emit`):Object.defineProperty(process,"emit",e)}}const M=Reflect.get(u().default,`registerHooks`);let N;async function P(e){N??=M===void 0?Promise.resolve(I()):F(M),(await N)(e)}async function F(e){let{learn:t,resolve:n,load:r}=await j(O);return e({resolve:n,load:r}),t}function I(){let{port1:e,port2:t}=new(m()).MessageChannel;return e.unref(),u().default.register(O,{data:{port:t},transferList:[t]}),t=>e.postMessage(t)}const L=[`exports`,`require`,`module`,`__filename`,`__dirname`],R=[`Cannot use import statement outside a module`,`Unexpected token 'export'`,`Cannot use 'import.meta' outside a module`],z=/\b(?:exports|require|module|__filename|__dirname|this|arguments|return)\b/u;function B(e){let t=H(e,L);if(t===void 0)return z.test(e)?`commonjs`:`either`;if(R.includes(t))return`module`;let n=H(`async () => {${e.replace(/^#!.*/u,``)}\n}`,[]);return n===void 0||R.includes(n)?`module`:`broken`}function V(e){return/^[^\S\r\n\u2028\u2029]*(?:import\b(?!\s*\()|export\b)/mu.test(e)}function H(e,t){try{(0,f().compileFunction)(e,t);return}catch(e){return e instanceof Error?e.message:String(e)}}function pe(){let e=new Map,t=n=>{if(e.has(n))return e.get(n);let r=me(n),i=(0,o().dirname)(n),a=r===`absent`?i===n?void 0:t(i):r;return e.set(n,a),a};return e=>t((0,o().dirname)(e))}function me(e){let t;try{t=(0,i().readFileSync)((0,o().join)(e,`package.json`),`utf8`)}catch{return`absent`}try{let{type:e}=JSON.parse(t);return e===`module`||e===`commonjs`?e:void 0}catch{return}}async function he(e,n,r){let i=(0,c().createHash)(`sha256`).update(`sucrase-3\0`).update(e).digest(`hex`),a=r===void 0?void 0:(0,o().join)(r,`ts-${i}.js`),s=a===void 0?void 0:ge(a);if(s!==void 0)return s;let{stripTypes:l}=await Promise.resolve().then(()=>require("./strip-types.cjs")),u=await l(e,n);return a!==void 0&&t.writeCacheFile(a,u,1),u}function ge(e){try{return(0,i().readFileSync)(e,`utf8`)}catch{return}}async function _e(e,t){let n=pe(),r=new Map,i=new Set([e.entry]);for(let a of i){let o=e.files.get(a);if(o!==void 0){r.set(a,await be(o,n,t));for(let e of o.imports.values())i.add(e.file)}}let a=r.get(e.entry);if(a===void 0)throw Error(`${e.entry} is not part of its own graph`);return{entry:a,modules:r}}function ve({entry:e,modules:t},n){let r=new Set(e.format===`commonjs`?[]:[e]);for(let e of t.values())if(e.format===`module`&&r.add(e),e.importsAsModule)for(let{file:n}of e.file.imports.values())ye(r,t.get(n));let i=[...t.values()];return{esm:[...r].some(t=>t.retyped||n&&t!==e)||i.some(e=>e.importsAsModule&&e.relinked),cjs:i.some(e=>e.format===`commonjs`&&(e.retyped||e.relinked))}}function ye(e,t){t!==void 0&&e.add(t)}async function be(t,n,r){let a=(0,o().extname)(t.path);if(!/^\.[cm]?[jt]s$/u.test(a))return xe(t);let s=(0,i().readFileSync)(t.path,`utf8`),c=a.endsWith(`ts`),l=c?await he(s,t.path,r):s,u=n(t.path),d=Se(a,l,u),f=d===`module`||e.hasDynamicImport(l);return{file:t,format:d,source:l,retyped:c||a===`.js`&&u!==void 0&&u!==d,relinked:t.importsSdk||t.importsMore||Ce(t,f),importsAsModule:f,requires:d===`commonjs`?e.requiredSpecifiers(l):[]}}function xe(e){return{file:e,format:`other`,source:``,retyped:!1,relinked:!1,importsAsModule:!1,requires:[]}}function Se(e,t,n){if(e.startsWith(`.m`))return`module`;if(e.startsWith(`.c`))return`commonjs`;let r=B(t);return r===`either`?n??`commonjs`:r===`broken`?V(t)?`module`:n??`commonjs`:r}function Ce(e,t){let n=t?[``]:[``,`.js`,`/index.js`];return[...e.imports.values()].some(e=>!n.includes(e.added))}let U,W=0;async function we(e){W++===0&&Te();try{return await e()}finally{--W===0&&Ee()}}function Te(){let e=Reflect.get(process,`emitWarning`);U=e,process.emitWarning=(...t)=>{let[,n]=t;typeof n==`object`&&n&&`code`in n&&n.code===`MODULE_TYPELESS_PACKAGE_JSON`||Reflect.apply(e,process,t)}}function Ee(){U!==void 0&&(process.emitWarning=U),U=void 0}const G=Symbol.for(`@a5c-ai/babysitter-sdk/door`);function De(e){let t=e.door();return globalThis[G]=t,t}function Oe(e){let t=[`const door = globalThis[Symbol.for(${JSON.stringify(G.description)})];`];for(let[n,r]of Object.keys(e).entries()){let e=JSON.stringify(r);t.push(`const $${n} = door[${e}]; export { $${n} as ${e} };`)}return`data:text/javascript,${encodeURIComponent(t.join(`
`))}`}async function ke(e,t,n){let r=ce(e);try{return await we(()=>Ae(e,t,n,r))}catch(t){throw le(e),t}}async function Ae(e,t,n,r){let i=ve(t,r!==``),a=[...e.files.values()].some(e=>e.importsSdk||e.importsMore)?De(n):void 0;ne(e.files.keys()),(i.cjs||a!==void 0)&&x({...K(e),door:a,modules:je(t)}),i.esm&&await P(Me(e,t,r,a)),i.esm&&await Pe(e,t,r);let{entry:o}=t;return o.format===`commonjs`?{format:`commonjs`,exports:(0,u().createRequire)(e.entry)(e.entry)}:{format:`module`,exports:await j(D(e.entry,r))}}function K(e){return{roots:e.roots,files:e.files.keys()}}function je(e){let t=new Map;for(let{file:n,format:r,retyped:i,source:a}of e.modules.values())r===`commonjs`&&i&&t.set(n.path,{format:r,source:a});return t}function Me(e,t,n,r){let i={},a={},o=r&&Oe(r);for(let e of t.modules.values()){let{file:t,format:r,source:s}=e,c=D(t.path,r===`commonjs`?``:n);if(i[c]=Ne(e,n,o),r===`other`||r===`commonjs`&&!e.retyped)continue;let l=t.path.endsWith(`ts`),u=r===`module`&&l?{format:r,source:s}:{format:r};a[D(t.path,n)]=u}return{roots:e.roots.map(e=>(0,p().pathToFileURL)(`${e.replace(/\/$/u,``)}/`).href),door:o,links:i,modules:a}}function Ne({file:t},n,r){let i=r===void 0?{}:{[e.SDK_NAME]:r};for(let[e,r]of t.imports){let t=D(r.file,n),a=r.path.includes(`?`)?void 0:/^[^#]*?\?([^#]+)/u.exec(e)?.[1];i[e]=a===void 0?t:`${t}${n===``?`?`:`&`}${a}`}return i}async function Pe(e,t,n){for(let r of Fe(e,t,n!==``)){let t=await j(D(r,n)).then(e=>({format:`module`,namespace:e}),e=>({format:`failed`,error:e}));x({...K(e),door:void 0,modules:new Map([[r,t]])})}}function Fe(e,t,n){let r=new Set;for(let{file:e,requires:n}of t.modules.values())for(let i of n){let n=e.imports.get(i)?.file;n!==void 0&&t.modules.get(n)?.format===`module`&&r.add(n)}return Ie(e,t).filter(e=>r.has(e)&&(n||Le(t,e,e=>e.retyped||e.relinked)))}function Ie(e,t){let n=new Set,r=[],i=e=>{if(!n.has(e)){n.add(e);for(let{file:n}of t.modules.get(e)?.file.imports.values()??[])i(n);r.push(e)}};return i(e.entry),r}function Le(e,t,n){let r=new Set([t]);for(let t of r){let i=e.modules.get(t);if(i!==void 0){if(n(i))return!0;for(let{file:e}of i.file.imports.values())r.add(e)}}return!1}function Re(e,n,r){let i=ze(e),a=Ve(e,n,r),o=a===void 0||i.includes(a)?``:` (${a})`;return new t.BabysitterError(`PROCESS_LOAD_FAILED`,`Cannot load the process file ${n.entry}: ${i}${o}`,{hint:Be(e,a,r)?"In this file `process` is the process function itself, not Node's. Call the function something else, such as `export default async function release(inputs, ctx)`, or write `globalThis.process`.":`Fix the file or the one it imports, and try again; no step of the process has run.`,details:{file:n.entry,...a===void 0?{}:{at:a}},cause:e})}function ze(e){if(!(e instanceof Error))return`a value that is not an Error was thrown: ${String(e)}`;let t=e.message.split(`
`,1)[0]||e.name;return e.name===`Error`||t.startsWith(e.name)?t:`${e.name}: ${t}`}function Be(e,t,n){if(!(e instanceof TypeError||e instanceof ReferenceError)||t===void 0)return!1;let r=t.lastIndexOf(`:`),i=n?.modules.get(t.slice(0,r))?.source??``,a=i.split(`
`)[Number(t.slice(r+1))-1]??``;return/\bprocess\./u.test(a)&&/\b(?:function|const|let|var) process\b/u.test(i)}function Ve(e,t,n){if(!(e instanceof Error))return;let r=e.stack??``;return He(r)??Ue(e.message)??We(r,t)??(e.name===`SyntaxError`&&n!==void 0?Ge(n):void 0)}function He(e){let t=/^(\/.*|file:\/\/.*):(\d+)$/u.exec(e.split(`
`,1)[0]??``);return t?.[1]&&t[2]?`${q(t[1])}:${t[2]}`:void 0}function Ue(e){let[t=``]=e.split(`
`,1),n=/^Error transforming (.+?): /u.exec(t)?.[1],r=/\((\d+):\d+\)$/u.exec(t)?.[1];return n===void 0||r===void 0?void 0:`${n}:${r}`}function We(e,t){for(let n of e.split(`
`)){let[e=``,r]=/:(\d+):\d+\)?$/u.exec(n)??[],[i=``]=/^.*?(?:\(|at (?:async )?)(?=\/|file:\/\/)/u.exec(n)??[],a=q(n.slice(i.length,n.length-e.length));if(t.files.has(a))return`${a}:${r}`}}function Ge(e){let t=[...e.modules.values()].filter(({format:e})=>e===`module`);return n.locateSyntaxError(t.map(({file:e,source:t})=>({file:e.path,source:t})))}function q(e){if(!e.startsWith(`file:`))return e;try{return(0,p().fileURLToPath)(e)}catch{return e}}const Ke=[`process`,`default`];function J(e,t){let n=X(t),r=e.export===void 0?Ke:[e.export];for(let e of r){let t=n.read(e);if(Y(t))return{exportName:e,run:t,...qe(n)}}throw Je(e,r,n)}function qe(e){let t=e.read(`inputSchema`);return t===void 0?{}:{inputSchema:t}}function Y(e){return typeof e==`function`}function X({format:e,exports:t}){let n=typeof t==`object`&&t||Y(t)?t:{},r=Object.keys(n);return e!==`commonjs`||typeof t==`object`||r.includes(`default`)?{names:r,read:e=>Z(n,e)}:{names:[...r,`default`],read:e=>e==="default"?t:Z(n,e)}}function Z(e,t){return Object.hasOwn(e,t)?Reflect.get(e,t):void 0}function Je(e,n,r){let i=r.names.filter(e=>e!=="__esModule"&&e!==`module.exports`),a=n.find(e=>r.names.includes(e)),o=a===void 0?`has no export ${n.map(e=>`"${e}"`).join(` or `)}`:`exports "${a}", but that is not a function`,s=i.length===0?`It exports nothing.`:`Its exports: ${i.join(`, `)}.`,c=i.find(e=>Y(r.read(e))),l=c===void 0?"Export the process as a function: `export default async function release(inputs, ctx) { \u2026 }`.":`Add the export to the path: ${e.file}#${c}`;return new t.BabysitterError(`EXPORT_NOT_FOUND`,`The process file ${e.file} ${o}. ${s}`,{hint:l,details:{file:e.file,exports:i}})}const Q=new Map;async function Ye(t,n,r){let i=Q.get($(n));if(i!==void 0)return{hash:n.hash,...J(t,await i)};let a=e.readGraph(t,r.cacheDir);return{hash:a.hash,...J(t,await Xe(a,r))}}function $({entry:e,hash:t}){return`${e}\0${t}`}function Xe(e,t){let n=$(e),r=Q.get(n);if(r!==void 0)return r;let i=Ze(e,t).catch(e=>{throw Q.delete(n),e});return Q.set(n,i),i}async function Ze(e,{cacheDir:t,sdk:n}){let r;try{return r=await _e(e,t),await ke(e,r,n)}catch(t){throw Re(t,e,r)}}exports.loadCode=Ye;
