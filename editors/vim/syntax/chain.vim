" Vim syntax file: chainlist. Written by `make editors` from the words of the program.
if exists("b:current_syntax")
  finish
endif

syntax case ignore
syntax match chainOperator "[-+*/<>=]\+" contained
syntax match chainName "\<\a[0-9A-Za-z_.]*" contained
syntax match chainCall "\<\a\w*\ze(" contained
syntax match chainItem "\v<%(CONSTRAINTS|DERIVATIVE|TENSION|Bodies|EVENTS|Etotal|LAMBDA|TORQUE|ANGLE|FORCE|JOINT|OMEGA|PHASE|POWER|SHEAR|SPEED|DIST|NORM|PATH|Time|Work|FFT|PHI|AX|AY|AZ|CG|VS|VX|VY|VZ|A|H|Q|T|U|V|X|Y|Z)>" contained
syntax match chainFunction "\v<%(smooth|spline|atan2|floor|hypot|pulse|table|acos|asin|atan|cosh|ramp|sign|sinh|sqrt|step|tanh|abs|cos|exp|log|max|min|mod|pwl|sin|tan|if)\ze\(" contained
syntax match chainNumber "\v%(\w|\.)@1<!%(\d+\.?\d*|\.\d+)%(e[-+]?\d+)?\a*" contained
syntax match chainLogic "\v<%(and|not|or)>" contained
syntax match chainKey "\v<[A-Za-z_]\w*\ze\s*\=" contained
syntax match chainOption "\v<%(ENERGYCORRECTOR|INTEGRATOR|BREAKDOWN|DAESYSTEM|DAMPALPHA|DAMPBETA|MPI_ALGO|PLOTMODE|gravity|ABSTOL|IC_POS|IC_VEL|LENGTH|RADIUS|RELTOL|WINDOW|mpitol|FRAME|GUARD|SAVE|VIEW)\ze\s*\=" contained
syntax match chainString +"[^"]*"\=+ contained
syntax match chainComment ";.*$" contained
syntax cluster chainWords contains=chainOperator,chainName,chainCall,chainItem,chainFunction,chainNumber
syntax cluster chainWords add=chainLogic,chainKey,chainOption,chainString,chainComment
syntax region chainStatement matchgroup=chainEntity start="\v^\s*[bcdfgjkmnrstwx]\w*" end="$" oneline keepend contains=@chainWords
syntax region chainStatement matchgroup=chainCommand start="\v^\s*\.%(submachine|poincare|include|options|modes|param|print|title|four|func|lyap|meas|plot|step|stop|tran|end|mc|op)>" end="$" oneline keepend contains=@chainWords
syntax match chainEllipsis "\v^\s*%(\.\.\.|…)"
syntax match chainComment "^\s*\*.*$"
syntax region chainStatement matchgroup=chainContinuation start="\v^\s*%(\+|\*\+[-+*=]@!)" end="$" oneline keepend contains=@chainWords
syntax match chainTitle "\v%^.*$"

highlight default link chainTitle Title
highlight default link chainEllipsis Special
highlight default link chainContinuation Special
highlight default link chainCommand Statement
highlight default link chainEntity Type
highlight default link chainComment Comment
highlight default link chainString String
highlight default link chainOption Constant
highlight default link chainKey Identifier
highlight default link chainLogic Operator
highlight default link chainNumber Number
highlight default link chainFunction Function
highlight default link chainItem Identifier
highlight default link chainCall Function
highlight default link chainName Normal
highlight default link chainOperator Operator

let b:current_syntax = "chain"
