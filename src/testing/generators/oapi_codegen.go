// Ten calls by the client that oapi-codegen makes: BASE and KEY come from the environment.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

var passed int

func check(what string, isRight bool, err error) {
	if err != nil || !isRight {
		panic(fmt.Sprintf("%s is wrong: %v", what, err))
	}
	passed++
}

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("KEY"))
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("BASE"), WithRequestEditorFn(withKey))
	if err != nil {
		panic(err)
	}
	email, first, last, nowhere := os.Getenv("NAME")+"@example.com", "Ada", "Byron", "Atlantis"

	made, err := client.TradersCreateWithResponse(ctx, &TradersCreateParams{}, TraderIn{Email: Email(email), FirstName: &first, LastName: &last})
	check("a new client without a phone", err == nil && made.JSON201 != nil && made.JSON201.Phone == nil, err)
	trader := *made.JSON201
	same, err := client.TradersGetWithResponse(ctx, trader.Id, &TradersGetParams{})
	check("the same client", err == nil && same.JSON200.CreatedAt == trader.CreatedAt, err)
	phone, version := "+35722000000", fmt.Sprintf("%q", fmt.Sprint(trader.Version))
	changed, err := client.TradersUpdateWithResponse(ctx, trader.Id, &TradersUpdateParams{IfMatch: &version}, TraderPatch{Phone: &phone})
	check("a changed client", err == nil && changed.JSON200 != nil && *changed.JSON200.Phone == phone, err)
	limit, count := 1, true
	page, err := client.TradersListWithResponse(ctx, &TradersListParams{Limit: &limit, Count: &count})
	check("a page of clients", err == nil && len(page.JSON200.Data) == 1 && *page.JSON200.Total >= 1, err)
	unknown, err := client.TradersGetWithResponse(ctx, "none", &TradersGetParams{})
	check("the refusal of an unknown client", err == nil && unknown.ApplicationproblemJSON404.Code == "not_found", err)
	wrong, err := client.TradersCreateWithResponse(ctx, &TradersCreateParams{}, TraderIn{Email: Email(email), Country: &nowhere})
	check("the refusal of a wrong address", err == nil && wrong.ApplicationproblemJSON422.Errors[0].Path == "country", err)
	id := trader.Id
	paid := DepositIn{TraderId: &id, Currency: "EUR", Amount: "12.50", Method: DepositInMethodBank}
	deposit, err := client.DepositsCreateWithResponse(ctx, &DepositsCreateParams{}, paid)
	check("a new deposit", err == nil && deposit.JSON201.Status == "pending" && deposit.JSON201.SettledAt == nil, err)
	rows, err := client.DepositsListWithResponse(ctx, &DepositsListParams{TraderId: &id})
	check("a list with the name of the client", err == nil && *rows.JSON200.Data[0].TraderName == "Ada Byron", err)
	entity := deposit.JSON201.Id
	entries, err := client.AuditListWithResponse(ctx, &AuditListParams{EntityId: &entity})
	check("the log of changes", err == nil && len(entries.JSON200.Data) > 0 && entries.JSON200.Data[0].Action == "deposit.create", err)
	rates, err := client.FxRatesListWithResponse(ctx, &FxRatesListParams{})
	check("a list that is answered whole", err == nil && rates.JSON200.NextCursor == nil, err)
	fmt.Println(passed, "calls")
}
